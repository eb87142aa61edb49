import { ApiError } from '@wharf/platform/api-error.ts'
import { fingerprintOf, type HostKey, pinnedName } from './host-key.ts'
import { describeTarget, type SshTarget } from './target.ts'

/** How ssh says that it had no connection; any other exit code is that of the command. */
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

/** Also of what follows from it, such as a storage that cannot be reached. */
export const isTransientFailure = (error: unknown): boolean =>
  error instanceof NoConnection ? error.isTransient : error instanceof ApiError && isTransientFailure(error.cause)

/** What ssh says about itself rather than about the failure. */
const chatter =
  /^(Warning: Permanently added|\*\* |@|mux_client|Control |Shared connection|kex_exchange_|.*UNKNOWN port|$)/
/** ssh behind a jump host that failed; then the words before it are the jump host's. */
const jumpFailed = /UNKNOWN port 65535/

/** What is wrong, from the words of ssh: another host key, no permission, or no connection for whatever reason. */
export function sshFailure(target: SshTarget, said: string, pinned?: HostKey): ApiError {
  const host = describeTarget(target)
  const words = lastWords(said)
  if (said.includes(pinnedName) && /has changed|host key is known for|verification failed/i.test(said))
    return new ApiError('HOST.1004', changedKey(host, said, pinned))
  if (!jumpFailed.test(said) && /Permission denied|Too many authentication failures/.test(said))
    return new ApiError('HOST.1005', `${host} refused the sign-in of ${target.username}: ${words}`)
  return new NoConnection(
    `no connection to ${host}: ${words || 'it did not answer'}`,
    words === '' || transient.test(said),
  )
}

/** The sign-in went well, but no command can be run: an account for sftp only, or csh, which quotes in its own way. */
export const unusableShell = (target: SshTarget, said: string): ApiError =>
  new ApiError(
    'HOST.1003',
    `${describeTarget(target)} lets ${target.username} in, but the login shell there cannot run sh: ${lastWords(said)}`,
  )

/** There was a connection. By now the words of a program may be among those of ssh, so they decide nothing. */
export const lostConnection = (target: SshTarget, said: string): ApiError =>
  new ApiError('HOST.1003', `lost the connection to ${describeTarget(target)}: ${lastWords(said) || 'it went silent'}`)

function changedKey(host: string, said: string, pinned: HostKey | undefined): string {
  const offered = /key sent by the remote host is\s+(SHA256:[A-Za-z0-9+/]+)/.exec(said)?.[1]
  return [
    `the key of ${host} is not the one that was pinned when it was added.`,
    `Pinned: ${pinned === undefined ? 'unknown' : fingerprintOf(pinned)}.`,
    `Offered: ${offered ?? 'a key of another type'}.`,
    'If the host was set up anew, remove it and add it again; if not, someone may be in between.',
  ].join(' ')
}

/** The last lines are those that name the cause. */
function lastWords(said: string): string {
  const lines = said
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').trim())
    .filter((line) => !chatter.test(line))
  return lines.slice(-3).join('; ').slice(-500)
}
