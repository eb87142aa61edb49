import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sshArguments, sshEnvironment } from './arguments.ts'
import { sshFailure } from './failure.ts'
import { checkedFingerprint, fingerprintOf, type HostKey, keysOf, typeOf } from './host-key.ts'
import { patienceOf } from './patience.ts'
import { privateFolder } from './private-runtime.ts'
import { checkedTarget, describeTarget, type SshTarget } from './target.ts'

/** A host has a key of each kind, and a fingerprint may be that of any of them. */
const kinds = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521',
  'rsa-sha2-512,rsa-sha2-256',
]

export interface ProbeOptions {
  readonly signal: AbortSignal
  readonly configFile?: string
  /** Counts from 0: a later one is more patient with a slow host. */
  readonly attempt?: number
}

/**
 * The key to pin for a host. The fingerprint is what the operator knows it by; when the host has no such key, it is not
 * the host.
 */
export async function fetchHostKey(
  target: SshTarget,
  { fingerprint, ...options }: ProbeOptions & { readonly fingerprint?: string },
): Promise<HostKey> {
  checkedTarget(target)
  const wanted = fingerprint === undefined ? undefined : checkedFingerprint(fingerprint)
  const first = await probe(target, undefined, options)
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

/** All keys that a host shows. The first is what ssh would take; it must come, the others may take too long. */
export async function fetchHostKeys(target: SshTarget, options: ProbeOptions): Promise<HostKey[]> {
  checkedTarget(target)
  return withOthers(await probe(target, undefined, options), target, options)
}

/** A host need not have every kind. */
async function withOthers(first: HostKey, target: SshTarget, options: ProbeOptions): Promise<HostKey[]> {
  const open = kinds.filter((kind) => !kind.includes(typeOf(first)))
  const others = await Promise.all(open.map((kind) => probe(target, kind, options).catch(() => undefined)))
  return [...new Set([first, ...others.filter((key) => key !== undefined)])]
}

/** An ssh that does not sign in asks for the key, so that jump hosts and the like work. */
async function probe(target: SshTarget, kind: string | undefined, options: ProbeOptions): Promise<HostKey> {
  options.signal.throwIfAborted()
  const folder = await privateFolder()
  const file = join(folder, 'known_hosts')
  const { greetingSeconds, readyMs } = patienceOf(options.attempt ?? 0)
  const settings = {
    ConnectTimeout: String(greetingSeconds),
    StrictHostKeyChecking: 'accept-new',
    UserKnownHostsFile: file,
    PreferredAuthentications: 'none',
    ControlMaster: 'no',
    ControlPath: 'none',
    LogLevel: 'INFO',
    ...(kind === undefined ? {} : { HostKeyAlgorithms: kind }),
  }
  const argv = sshArguments({ ...target, configFile: options.configFile, options: settings })
  try {
    const said = await saidBy('ssh', [...argv, 'true'], { signal: options.signal, timeout: readyMs })
    const [key] = keysOf(await readFile(file, 'utf8').catch(() => ''))
    options.signal.throwIfAborted()
    if (key === undefined) throw sshFailure(target, said)
    return key
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** It fails in any case, since it must not sign in; what counts is what it has written. */
function saidBy(
  program: string,
  args: readonly string[],
  bounds: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: sshEnvironment(process.env), killSignal: 'SIGKILL', ...bounds } as const
    execFile(program, args, options, (_error, _stdout, stderr) => resolve(stderr))
  })
}
