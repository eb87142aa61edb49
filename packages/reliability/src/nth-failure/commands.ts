import assert from 'node:assert/strict'
import { join } from 'node:path'
import { countCalls, type Ended, runWatchedProgram, type SeenCalls } from '@wharf/testkit'
import type { CallSite, Ending, Fault } from './scenario.ts'

/** Calls of a command, distinguished by their files. */
export interface FileSite extends CallSite {
  readonly paths?: readonly string[]
}

/** The command, such as `wharf-server migrate`, with the calls of this site watched. */
export const runCommand = (
  environment: Record<string, string>,
  args: readonly string[],
  site: FileSite,
  fault: Fault,
) => runWatchedProgram(environment, args, { calls: [site.call], paths: site.paths, fault })

/** How often each site is met in a run without faults, which must succeed. */
export async function countCommand(
  environment: Record<string, string>,
  args: readonly string[],
  sites: readonly FileSite[],
): Promise<number[]> {
  const calls = [...new Set(sites.map(({ call }) => call))]
  const { seen, code, stderr } = await runWatchedProgram(environment, args, { calls })
  assert.equal(code, 0, stderr)
  return sites.map(({ call, paths }) => countCalls(seen, call, paths))
}

/** The one line that an operator gets, by error. */
const reasons: Record<string, RegExp> = {
  ENOSPC: /no space left on device|database or disk is full|disk I\/O error/i,
  EIO: /i\/o error/i,
  ECONNREFUSED: /PostgreSQL of WHARF_DATABASE_URL cannot be used: .*ECONNREFUSED/,
  ETIMEDOUT: /PostgreSQL of WHARF_DATABASE_URL cannot be used: .*ETIMEDOUT/,
}

/** It succeeded, or printed the reason in one line. */
export function endingOf({ code, stderr, seen }: Ended & { seen: SeenCalls }, { error }: Fault): Ending {
  if (code === 0) return { seen, refusal: undefined }
  assert.equal(code, 1, stderr)
  assert.match(stderr, /^wharf-server: .*\n$/, 'the command prints one line')
  assert.match(stderr, reasons[error] ?? /^$/)
  return { seen, refusal: stderr.trim().replaceAll(/\/\S*\//g, '…/') }
}

/** Calls by which SQLite writes. The write-ahead log is checkpointed when the last connection closes. */
export const sqliteSites = (data: string): readonly FileSite[] => {
  const file = (ending: string): string => join(data, `wharf.db${ending}`)
  const write = { call: 'pwrite64', error: 'ENOSPC' }
  return [
    { name: 'a page of the database', ...write, paths: [file('')] },
    { name: 'the write-ahead log', ...write, paths: [file('-wal')] },
    { name: 'the index of the log', ...write, paths: [file('-shm')] },
    { name: 'fsync of the database', call: 'fsync', error: 'EIO', paths: [file('')] },
    { name: 'fsync of the log', call: 'fsync', error: 'EIO', paths: [file('-wal')] },
  ]
}
