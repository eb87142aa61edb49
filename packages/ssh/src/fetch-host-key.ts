import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sshArguments, sshEnvironment } from './arguments.ts'
import { connectTimeouts } from './connect-timeouts.ts'
import { sshFailure } from './failure.ts'
import { checkedFingerprint, fingerprintOf, type HostKey, keysOf, typeOf } from './host-key.ts'
import { createPrivateFolder } from './private-folder.ts'
import { checkedTarget, describeTarget, type SshTarget } from './target.ts'

/** A host may have one key of each type, and a fingerprint may be that of any of them. */
const keyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521',
  'rsa-sha2-512,rsa-sha2-256',
]

interface FetchOptions {
  readonly signal: AbortSignal
  readonly configFile?: string
  /** From 0; a later attempt waits longer for a slow host. */
  readonly attempt?: number
}

/**
 * The key to pin for a host. With a fingerprint, a host that has no such key is refused.
 */
export async function fetchHostKey(
  target: SshTarget,
  { fingerprint, ...options }: FetchOptions & { readonly fingerprint?: string | undefined },
): Promise<HostKey> {
  checkedTarget(target)
  const wanted = fingerprint === undefined ? undefined : checkedFingerprint(fingerprint)
  const first = await fetchKey(target, undefined, options)
  if (wanted === undefined || fingerprintOf(first) === wanted) return first
  const keys = await withOthers(first, target, options)
  options.signal.throwIfAborted()
  const key = keys.find((one) => fingerprintOf(one) === wanted)
  if (key !== undefined) return key
  const offered = keys.map(fingerprintOf).join(', ')
  throw new ApiError(
    'HOST.1004',
    `${describeTarget(target)} has no key with the given fingerprint ${wanted}; it has ${offered}`,
  )
}

/** All keys that a host offers. The first, which ssh would use, is required; the others may time out. */
export async function fetchHostKeys(target: SshTarget, options: FetchOptions): Promise<HostKey[]> {
  checkedTarget(target)
  return withOthers(await fetchKey(target, undefined, options), target, options)
}

/** Types that the host does not have are left out. */
async function withOthers(first: HostKey, target: SshTarget, options: FetchOptions): Promise<HostKey[]> {
  const otherTypes = keyTypes.filter((types) => !types.includes(typeOf(first)))
  const others = await Promise.all(otherTypes.map((types) => fetchKey(target, types, options).catch(() => undefined)))
  return [...new Set([first, ...others.filter((key) => key !== undefined)])]
}

/** Runs ssh without signing in, so that jump hosts work as for a connection. */
async function fetchKey(target: SshTarget, types: string | undefined, options: FetchOptions): Promise<HostKey> {
  options.signal.throwIfAborted()
  const folder = await createPrivateFolder()
  const file = join(folder, 'known_hosts')
  const { greetingSeconds, readyMs } = connectTimeouts(options.attempt ?? 0)
  const settings = {
    ConnectTimeout: String(greetingSeconds),
    StrictHostKeyChecking: 'accept-new',
    UserKnownHostsFile: file,
    PreferredAuthentications: 'none',
    ControlMaster: 'no',
    ControlPath: 'none',
    LogLevel: 'INFO',
    ...(types === undefined ? {} : { HostKeyAlgorithms: types }),
  }
  const argv = sshArguments({ ...target, configFile: options.configFile, options: settings })
  try {
    const stderr = await stderrOf('ssh', [...argv, 'true'], { signal: options.signal, timeout: readyMs })
    const [key] = keysOf(await readFile(file, 'utf8').catch(() => ''))
    options.signal.throwIfAborted()
    if (key === undefined) throw sshFailure(target, stderr)
    return key
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The program always fails, because it must not sign in; only its output matters. */
function stderrOf(
  program: string,
  args: readonly string[],
  bounds: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: sshEnvironment(process.env), killSignal: 'SIGKILL', ...bounds } as const
    execFile(program, args, options, (_error, _stdout, stderr) => resolve(stderr))
  })
}
