import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../platform/api-error.ts'
import { sshArguments, sshEnvironment } from './arguments.ts'
import { sshFailure } from './failure.ts'
import { checkedFingerprint, fingerprintOf, type HostKey, keysOf } from './host-key.ts'
import { privateFolder } from './private-runtime.ts'
import { checkedTarget, describeTarget, type SshTarget } from './target.ts'

const maxProbeMs = 14_000

/** A host has a key of each kind, and a fingerprint may be that of any of them. The first is what ssh would take. */
const kinds = [
  undefined,
  'ssh-ed25519',
  'ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521',
  'rsa-sha2-512,rsa-sha2-256',
]

export interface ProbeOptions {
  readonly signal: AbortSignal
  readonly configFile?: string
  /** What the operator knows the key by; when the host has no such key, it is not the host. */
  readonly fingerprint?: string
}

/** The key to pin for a host. An ssh that does not sign in asks for it, so that jump hosts and the like work. */
export async function fetchHostKey(target: SshTarget, options: ProbeOptions): Promise<HostKey> {
  checkedTarget(target)
  const wanted = options.fingerprint === undefined ? undefined : checkedFingerprint(options.fingerprint)
  const offered: string[] = []
  for (const kind of wanted === undefined ? [undefined] : kinds) {
    const key = await probe(target, kind, options).catch((error) => {
      // a host need not have every kind, but it must answer the first time
      if (offered.length === 0) throw error
      return undefined
    })
    if (key === undefined) continue
    const fingerprint = fingerprintOf(key)
    if (wanted === undefined || wanted === fingerprint) return key
    if (!offered.includes(fingerprint)) offered.push(fingerprint)
  }
  throw new ApiError(
    'HOST.1004',
    `${describeTarget(target)} has no key with the given fingerprint ${wanted}; it has ${offered.join(', ')}`,
  )
}

async function probe(target: SshTarget, kind: string | undefined, options: ProbeOptions): Promise<HostKey> {
  options.signal.throwIfAborted()
  const folder = await privateFolder()
  const file = join(folder, 'known_hosts')
  const settings = {
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
    const said = await saidBy('ssh', [...argv, 'true'], options.signal)
    const [key] = keysOf(await readFile(file, 'utf8').catch(() => ''))
    options.signal.throwIfAborted()
    if (key === undefined) throw sshFailure(target, said)
    return key
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** It fails in any case, since it must not sign in; what counts is what it has written. */
function saidBy(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: sshEnvironment(process.env), signal, timeout: maxProbeMs, killSignal: 'SIGKILL' } as const
    execFile(program, args, options, (_error, _stdout, stderr) => resolve(stderr))
  })
}
