import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { currentOwnership } from '../../../jobs/ownership.ts'
import type { RunResult } from '../driver.ts'
import { fenceFailure, fenceWords } from './fence.ts'
import { guard, guardInput } from './guard.ts'
import { removeWhenRecorded } from './hook-exit-code.ts'
import { skipToResult } from './marker.ts'
import { Session } from './session.ts'
import type { Transport } from './transport.ts'

const pauseMs = 1000
/** For a hook without heartbeat, on this machine. */
const localMs = 10_000

/**
 * After the connection to a hook is lost: queries the host until it has ended the hook, or until the guard has ended
 * it without a heartbeat. Returns the exit code of a hook that was not stopped. A host that answers that the hook does not end throws.
 */
export async function recoverLostHook(
  transport: Transport,
  hook: { readonly subject: string | undefined; readonly key: string },
  hookEndsBy = performance.now() + localMs,
): Promise<RunResult | undefined> {
  const { log } = currentOwnership() ?? {}
  log?.(`lost the hook on ${transport.host}; querying the host for it`)
  for (;;) {
    const signal = AbortSignal.timeout(Math.ceil(Math.max(hookEndsBy - performance.now(), 1)))
    try {
      return await query(transport, hook, signal)
    } catch (error) {
      if (!(error instanceof ApiError || signal.aborted)) throw error
      if (performance.now() + pauseMs >= hookEndsBy) {
        if (error instanceof ApiError && error.code !== 'HOST.1003') throw error
        break
      }
    }
    await delay(pauseMs)
  }
  await delay(Math.max(hookEndsBy - performance.now(), 0))
  log?.(
    `${transport.host} could not be queried; it ends a hook without heartbeat, and the next job on this resource queries it before it starts another`,
  )
  return undefined
}

/** See `HostDriver.endHooks`. */
export async function endHooks(transport: Transport, subject: string, signal: AbortSignal): Promise<void> {
  await query(transport, { subject, key: '' }, signal)
}

async function query(
  transport: Transport,
  { subject, key }: { readonly subject: string | undefined; readonly key: string },
  signal: AbortSignal,
): Promise<RunResult | undefined> {
  const session = await Session.open(transport, guard, [...fenceWords(subject), key, '0', '', '/'], { signal })
  let isKept = false
  try {
    const { found, noise } = await session.waitForStart(session.stdout)
    if (found) session.stdin.write(guardInput('', session.marker))
    const result = found ? await skipToResult(session.stdout, session.marker) : undefined
    if (result === undefined) throw session.failure(await session.ended, noise)
    const [, code, reason = ''] = /^fence (\d)(?: (.*))?$/.exec(result) ?? []
    if (code !== undefined) throw fenceFailure(transport.host, code, reason)
    if (!result.startsWith('kept ')) return undefined
    isKept = true
    removeWhenRecorded(session, key)
    return { exitCode: Number(result.slice('kept '.length)), isKept }
  } finally {
    if (!isKept) {
      session.stdin.destroy()
      session.closeSoon()
    }
  }
}
