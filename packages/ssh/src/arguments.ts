import { pinnedName } from './host-key.ts'
import type { SshTarget } from './target.ts'

/**
 * For both sides of a connection that a program uses and nobody sits at. The configuration of the server's user stays
 * in effect, for jump hosts and the like, but ssh takes the first value of an option, and these come first.
 */
const unattended = {
  BatchMode: 'yes',
  PreferredAuthentications: 'publickey',
  GSSAPIAuthentication: 'no',
  ConnectTimeout: '10',
  // 3 × 3 s: a host that has gone silent is noticed in less than 15 s
  ServerAliveInterval: '3',
  ServerAliveCountMax: '3',
  // twice as fast as the default where the processor knows AES; the others stay possible
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
  // the key is pinned: no other file, no DNS and no host may say otherwise
  HostKeyAlias: pinnedName,
  GlobalKnownHostsFile: '/dev/null',
  HashKnownHosts: 'no',
  CheckHostIP: 'no',
  VerifyHostKeyDNS: 'no',
  UpdateHostKeys: 'no',
}

export interface SshOptions extends SshTarget {
  /** Another configuration than that of the server's user; `none` for none. */
  readonly configFile?: string | undefined
  /** Options that are not the same everywhere. */
  readonly options: Readonly<Record<string, string>>
}

/** Everything before the command. Behind `--` nothing is an option. */
export function sshArguments({ address, port, username, configFile, options }: SshOptions): string[] {
  const chosen = Object.entries({ ...unattended, ...options }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const config = configFile === undefined ? [] : ['-F', configFile]
  return [...config, ...chosen, '-p', String(port), '-l', username, '--', address]
}

/** Of the server's environment, what ssh needs for the user's configuration and agent. */
export function sshEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SSH_AUTH_SOCK']
  return Object.fromEntries(names.map((name) => [name, environment[name]]))
}
