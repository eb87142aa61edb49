import type { HostDriver } from './driver.ts'
import { ShellHost } from './shell/shell-host.ts'
import { type SshSettings, SshTransport } from './shell/ssh-transport.ts'

/** A host that is reached by ssh. Nothing is connected before the first use. */
export const openSshDriver = (settings: SshSettings): HostDriver => new ShellHost(new SshTransport(settings))
