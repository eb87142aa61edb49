import { pinnedName } from './host-key.ts'
import type { SshTarget } from './target.ts'

/**
 * For connections without a person. The ssh configuration of the server's user stays in effect, for jump hosts for
 * example, but ssh uses the first value of an option, and these precede it.
 */
const unattended = {
  BatchMode: 'yes',
  PreferredAuthentications: 'publickey',
  GSSAPIAuthentication: 'no',
  ConnectTimeout: '10',
  // 3 × 3 s: a host that stops answering is detected in less than 15 s
  ServerAliveInterval: '3',
  ServerAliveCountMax: '3',
  // twice as fast as the default on processors with AES instructions; the other ciphers stay available
  Ciphers: '^aes128-gcm@openssh.com',
  Compression: 'no',
  RequestTTY: 'no',
  RemoteCommand: 'none',
  PermitLocalCommand: 'no',
  ClearAllForwardings: 'yes',
  ForwardAgent: 'no',
  ForwardX11: 'no',
  AddKeysToAgent: 'no',
  ControlPersist: 'no',
  // the key is pinned: no other file, DNS record or host can replace it
  HostKeyAlias: pinnedName,
  GlobalKnownHostsFile: '/dev/null',
  HashKnownHosts: 'no',
  CheckHostIP: 'no',
  VerifyHostKeyDNS: 'no',
  UpdateHostKeys: 'no',
}

export interface SshOptions extends SshTarget {
  /** Replaces the configuration of the server's user; `none` for none. */
  readonly configFile?: string | undefined
  /** Options of this connection. */
  readonly options: Readonly<Record<string, string>>
}

/** Everything before the command. After `--` nothing is an option. */
export function sshArguments({ address, port, username, configFile, options }: SshOptions): string[] {
  const chosen = Object.entries({ ...unattended, ...options }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const config = configFile === undefined ? [] : ['-F', configFile]
  return [...config, ...chosen, '-p', String(port), '-l', username, '--', address]
}

/** The part of the server's environment that ssh needs for the user's configuration and agent. */
export function sshEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SSH_AUTH_SOCK']
  return Object.fromEntries(names.map((name) => [name, environment[name]]))
}
