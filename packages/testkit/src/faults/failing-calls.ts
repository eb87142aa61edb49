import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, runServerProgram } from '../program/server-process.ts'

/** Which system calls strace traces. */
export interface WatchedCalls {
  /** Their names, as strace has them on x64. */
  readonly calls: readonly string[]
  /** Only those on one of these files or folders; a socket has its name in /proc. */
  readonly paths?: readonly string[] | undefined
  /**
   * Fails the n-th and no other. Strace counts for every thread and every name of a call on its own: of one name and one
   * thread that is exactly one.
   */
  readonly fault?: { readonly nth: number; readonly error: string } | undefined
}

interface SeenCall {
  readonly thread: string
  /** As strace prints it. */
  readonly text: string
}

/** The recorded calls. */
export interface SeenCalls {
  readonly calls: readonly SeenCall[]
  /** Those that were made to fail. */
  readonly failed: readonly string[]
}

/** Newer architectures have these calls only in the form that also takes a folder. */
const laterNames: Record<string, string> = process.arch === 'x64' ? {} : { link: 'linkat', rename: 'renameat' }
const nameHere = (call: string): string => laterNames[call] ?? call

/** How many there were of this name, on these files or folders. */
export const countCalls = ({ calls }: SeenCalls, name: string, paths?: readonly string[]): number =>
  calls.filter(({ text }) => {
    const hasPath = (path: string): boolean => text.includes(`<${path}>`) || text.includes(`"${path}"`)
    return text.startsWith(`${nameHere(name)}(`) && (paths === undefined || paths.some(hasPath))
  }).length

/** Of the threads, the one with most of them: up to there something can be made to fail. */
export function mostCalls({ calls }: SeenCalls, name: string): number {
  const ofThread = Map.groupBy(calls, ({ thread }) => thread)
  return Math.max(0, ...[...ofThread.values()].map((own) => countCalls({ calls: own, failed: [] }, name)))
}

export function straceArguments({ calls, paths = [], fault }: WatchedCalls, output: string): string[] {
  const names = calls.map(nameHere).join()
  return [
    ...['strace', '-y', '-o', output, '-e', `trace=${names}`],
    ...(fault ? ['-e', `inject=${names}:error=${fault.error}:when=${fault.nth}`] : []),
    ...paths.flatMap((path) => ['-P', path]),
  ]
}

export function readCalls(output: string): SeenCalls {
  const lines = readFileSync(output, 'utf8').split('\n')
  const calls = lines.flatMap((line) => {
    const [, thread = '', text] = /^(?:(\d+) +)?(\w+\(.*)/.exec(line) ?? []
    return text === undefined ? [] : [{ thread, text }]
  })
  return { calls, failed: lines.filter((line) => line.includes('(INJECTED)')) }
}

/** As `runServerProgram`, with all threads watched; of these, one does file work. */
export async function runWatchedProgram(
  environment: Record<string, string>,
  args: readonly string[],
  watched: WatchedCalls,
): Promise<Ended & { seen: SeenCalls }> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-calls-'))
  try {
    const output = join(folder, 'calls')
    const wrapper = [...straceArguments(watched, output), '-f', '--seccomp-bpf']
    const ended = await runServerProgram({ ...environment, UV_THREADPOOL_SIZE: '1' }, args, undefined, wrapper)
    return { ...ended, seen: readCalls(output) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
