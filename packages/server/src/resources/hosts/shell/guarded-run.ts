import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { currentOwnership, requireOwned } from '../../../jobs/ownership.ts'
import type { HookOptions, RunOptions, RunResult } from '../driver.ts'
import { fenceFailure, fenceWords } from './fence.ts'
import { guard, guardInput } from './guard.ts'
import { Heartbeat, silenceSeconds } from './heartbeat.ts'
import { hookKey, isKept, releaseEarlierRun, removeWhenRecorded } from './hook-exit-code.ts'
import { recoverLostHook } from './lost-hook.ts'
import { MarkedLines } from './marker.ts'
import { Session } from './session.ts'
import type { Transport, Words } from './transport.ts'

/** Runs a program under the guard; returns the program's own exit code. */
export async function guardedRun(transport: Transport, argv: Words, options: RunOptions): Promise<RunResult> {
  const { signal, input = '', folder = '/', environment = {}, hook } = options
  if (input.includes('\0')) throw invalid('the input of a program must not contain NUL')
  const key = hook === undefined || currentOwnership() === undefined ? '' : hookKey(hook, argv, input)
  const program = [...assignments(environment), 'setsid', '--', ...argv]
  const limit = transport.losesPackets && key !== '' ? silenceSeconds : 0
  const words = [...fenceWords(hook?.subject), key, String(limit), filesText(hook), folder, ...program]
  if (isKept(key)) releaseEarlierRun(key)
  const session = await Session.open(transport, guard, words, { signal })
  await waitForGuard(session, signal)
  sendInput(session, input)
  const heartbeat = limit === 0 ? undefined : new Heartbeat(session.stdin)
  try {
    const result = await resultOf(session, key, options.onLine)
    heartbeat?.stop()
    if (result !== undefined) return readResult(transport, folder, result, signal)
    const exitCode = await session.ended
    const kept =
      key === '' ? undefined : await recoverLostHook(transport, { subject: hook?.subject, key }, heartbeat?.hookEndsBy)
    if (signal.aborted) throw signal.reason
    if (kept === undefined) throw session.failure(exitCode, '')
    return kept
  } finally {
    heartbeat?.stop()
  }
}

async function waitForGuard(session: Session, signal: AbortSignal): Promise<void> {
  const { found, noise } = await session.waitForStart(session.stdout, session.stderr)
  if (found) return
  const exitCode = await session.ended
  throw signal.aborted ? signal.reason : session.failure(exitCode, noise)
}

/** While it was stopped or waited for the host, this process may have lost the job. */
function sendInput(session: Session, input: string): void {
  try {
    requireOwned()
  } catch (error) {
    session.kill()
    throw error
  }
  session.stdin.write(guardInput(input, session.marker))
}

function readResult(transport: Transport, folder: string, result: string, signal: AbortSignal): RunResult {
  if (signal.aborted) throw signal.reason
  const { host } = transport
  if (result === 'folder') throw new ApiError('SYS.1016', `${host} cannot run a program in the folder ${folder}`)
  if (result === 'silent')
    throw new ApiError('HOST.1003', `${host} ended the program: it received no heartbeat for ${silenceSeconds} s`)
  if (result.startsWith('file '))
    throw new ApiError(
      'SoftwarePackage.1300',
      `the package on ${host} is damaged: ${result.slice('file '.length)}. Nothing was run; delete the package and upload it again`,
    )
  const [, answer, reason = ''] = /^fence (\d)(?: (.*))?$/.exec(result) ?? []
  if (answer !== undefined) throw fenceFailure(host, answer, reason)
  if (result.startsWith('kept ')) return { exitCode: Number(result.slice('kept '.length)), isKept: true }
  return { exitCode: Number(result) }
}

/** Undefined when the streams end without a result. */
async function resultOf(session: Session, key: string, onLine: RunOptions['onLine']): Promise<string | undefined> {
  const bothEnded = Promise.withResolvers<void>()
  const open = new Set<'stdout' | 'stderr'>(['stdout', 'stderr'])
  const [stdout] = [...open].map((name) => {
    const report = (line: string): void => {
      try {
        onLine?.(line, name)
      } catch (error) {
        bothEnded.reject(error)
      }
    }
    const lines = new MarkedLines(session.marker, report, () => {
      open.delete(name)
      if (open.size === 0) bothEnded.resolve()
    })
    session[name].on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => lines.end())
    return lines
  })
  try {
    await Promise.race([bothEnded.promise, session.ended])
  } finally {
    if (isKept(key) && /^(kept )?\d+$/.test(stdout?.result ?? '')) removeWhenRecorded(session, key)
    else {
      // the end of its input stops a program that still runs
      session.stdin.destroy()
      session.closeSoon()
    }
  }
  return stdout?.result
}

const filesText = (hook: HookOptions | undefined): string =>
  (hook?.files ?? []).map(({ cksum = '-', size = '+', path }) => `${cksum} ${size} ${path}`).join('\n')

/** In the format of `env`. */
function assignments(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalid(`${name} cannot be the name of a variable`)
    return `${name}=${value}`
  })
}
