import { Secret } from '@wharf/platform/secret.ts'
import type { HostDriver } from '@wharf/server/resources/hosts/driver.ts'
import type { SshSettings } from '@wharf/server/resources/hosts/shell/ssh-transport.ts'
import { openSshDriver } from '@wharf/server/resources/hosts/ssh-driver.ts'
import type { TestHost } from './test-host.ts'

/** A driver for a test host, closed after the test. */
export function sshDriverOf(
  t: { after(work: () => Promise<void>): void },
  host: TestHost,
  change: Partial<SshSettings> = {},
): HostDriver {
  const driver = openSshDriver({ ...sshSettingsOf(host), ...change })
  t.after(() => driver.close())
  return driver
}

/** They ignore the ssh configuration of the user. */
export function sshSettingsOf({ address, port, username, hostKey, privateKey }: TestHost): SshSettings {
  const key = Secret.of(privateKey)
  return { address, port, username, hostKey, privateKey: key, onlyThisKey: true, configFile: 'none' }
}
