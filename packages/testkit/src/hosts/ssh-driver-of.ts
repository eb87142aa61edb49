import { Secret } from '@wharf/platform/secret.ts'
import type { HostDriver } from '@wharf/server/resources/hosts/driver.ts'
import type { SshSettings } from '@wharf/server/resources/hosts/shell/ssh-transport.ts'
import { openSshDriver } from '@wharf/server/resources/hosts/ssh-driver.ts'
import type { TestHost } from './test-host.ts'

/** A driver for a test host, closed after the test. It ignores the ssh configuration of the user. */
export function sshDriverOf(
  t: { after(work: () => Promise<void>): void },
  host: TestHost,
  change: Partial<SshSettings> = {},
): HostDriver {
  const { address, port, username, hostKey } = host
  const privateKey = Secret.of(host.privateKey)
  const own = { address, port, username, hostKey, privateKey, onlyThisKey: true, configFile: 'none' }
  const driver = openSshDriver({ ...own, ...change })
  t.after(() => driver.close())
  return driver
}
