import { isTransientFailure } from '@wharf/ssh/failure.ts'
import { retryInJob } from '../../../jobs/retry-in-job.ts'
import type { HostShells } from './host-shells.ts'
import { Session, type ShellCommand } from './session.ts'
import type { Transport } from './transport.ts'

/** The end of an idle shell is noticed within this time; one that takes longer to fail has a host that does not answer. */
const maxNoticeMs = 1000

/** The transport of a host, and the shells that it keeps open. */
export interface HostWithShells {
  readonly transport: Transport
  readonly shells: HostShells
}

type OpenedScript =
  | {
      readonly found: true
      readonly session: Session
      /** After the result: the shell of the script is free for another. */
      readonly release: () => void
    }
  | { readonly found: false; readonly session: Session; readonly exitCode: number | null; readonly noise: string }

/** Starts a script in a shell of the host; `found` is false when it ended before its first line. */
export async function openInShell(
  host: HostWithShells,
  command: ShellCommand,
  signal: AbortSignal,
): Promise<OpenedScript> {
  const { transport, shells } = host
  const acquire = (attempt: number) => shells.acquire(signal, attempt)
  const shell = await retryInJob(acquire, { signal, isTransient: isTransientFailure })
  const session = Session.inShell(shell, transport, command, { signal })
  const startedAt = performance.now()
  const { found, noise } = await session.waitForStart(session.stdout, session.stderr)
  const release = (): void => {
    session.detach()
    shells.release(shell)
  }
  if (found) return { found, session, release }
  const exitCode = await session.ended
  const hadEnded = shell.isReused && performance.now() - startedAt < maxNoticeMs
  // it has received no input, and another attempt shares no file with it
  if (hadEnded && !signal.aborted) return openInShell(host, command, signal)
  return { found, session, exitCode, noise }
}
