import type { HostDriver } from './driver.ts'
import { ShellHost } from './shell/shell-host.ts'
import { type SshSettings, SshTransport } from './shell/ssh-transport.ts'

/** A host with ssh. It connects at its first use. */
export const openSshDriver = (settings: SshSettings): HostDriver => new ShellHost(new SshTransport(settings))
