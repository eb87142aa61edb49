import { ApiError } from '@wharf/platform/api-error.ts'
import { fingerprintOf, type HostKey, pinnedName } from './host-key.ts'
import { describeTarget, type SshTarget } from './target.ts'

/** The exit code of ssh without a connection; any other is that of the command. */
export const sshExitCode = 255

/** A host that is busy, or a network that loses packets: another attempt may succeed. */
const transient =
  /timed out|Timeout|Connection (to \S+ )?(closed|reset)|closed by remote host|reset by peer|Connection lost|Broken pipe/i

/** No connection was made, so nothing was started on the host. */
class NoConnection extends ApiError {
  readonly isTransient: boolean

  constructor(details: string, isTransient: boolean) {
    super('HOST.1003', details)
    this.isTransient = isTransient
  }
}

/** Also true for errors that it caused, such as an unreachable storage. */
export const isTransientFailure = (error: unknown): boolean =>
  error instanceof NoConnection ? error.isTransient : error instanceof ApiError && isTransientFailure(error.cause)

/** Lines of ssh that do not describe the failure. */
const irrelevant =
  /^(Warning: Permanently added|\*\* |@|mux_client|Control |Shared connection|kex_exchange_|.*UNKNOWN port|$)/
/** The jump host failed; the lines before this one are about the jump host. */
const jumpFailed = /UNKNOWN port 65535/

/** Classifies the output of ssh: another host key, no permission, or no connection. */
export function sshFailure(target: SshTarget, stderr: string, pinned?: HostKey): ApiError {
  const host = describeTarget(target)
  const reason = lastLines(stderr)
  if (stderr.includes(pinnedName) && /has changed|host key is known for|verification failed/i.test(stderr))
    return new ApiError('HOST.1004', changedKey(host, stderr, pinned))
  if (!jumpFailed.test(stderr) && /Permission denied|Too many authentication failures/.test(stderr))
    return new ApiError('HOST.1005', `${host} refused the sign-in of ${target.username}: ${reason}`)
  return new NoConnection(
    `no connection to ${host}: ${reason || 'it did not answer'}`,
    reason === '' || transient.test(stderr),
  )
}

/** The sign-in succeeded, but no command can run: the account allows only sftp, or its shell is csh, which quotes differently. */
export const unusableShell = (target: SshTarget, stderr: string): ApiError =>
  new ApiError(
    'HOST.1003',
    `${describeTarget(target)} lets ${target.username} in, but the login shell there cannot run sh: ${lastLines(stderr)}`,
  )

/** After a connection was established, the output may include that of a program, so it is not classified. */
export const lostConnection = (target: SshTarget, stderr: string): ApiError =>
  new ApiError(
    'HOST.1003',
    `lost the connection to ${describeTarget(target)}: ${lastLines(stderr) || 'it went silent'}`,
  )

function changedKey(host: string, stderr: string, pinned: HostKey | undefined): string {
  const offered = /key sent by the remote host is\s+(SHA256:[A-Za-z0-9+/]+)/.exec(stderr)?.[1]
  return [
    `the key of ${host} is not the one that was pinned when it was added.`,
    `Pinned: ${pinned === undefined ? 'unknown' : fingerprintOf(pinned)}.`,
    `Offered: ${offered ?? 'a key of another type'}.`,
    'If the host was reinstalled, update it with the fingerprint of its new key; if not, the connection may be intercepted.',
  ].join(' ')
}

/** The last lines name the cause. */
function lastLines(stderr: string): string {
  const lines = stderr
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').trim())
    .filter((line) => !irrelevant.test(line))
  return lines.slice(-3).join('; ').slice(-500)
}
