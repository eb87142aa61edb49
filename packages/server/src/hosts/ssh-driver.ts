import type { HostDriver } from './driver.ts'
import { ShellHost } from './shell-host.ts'
import { type SshSettings, SshTransport } from './ssh-transport.ts'

/** A host that is reached by ssh. Nothing is connected before the first use. */
export const openSshDriver = (settings: SshSettings): HostDriver => new ShellHost(new SshTransport(settings))
