import type { HostDriver } from '@wharf/server/resources/hosts/driver.ts'

export interface DriverUnderTest {
  readonly driver: HostDriver
  /** A folder on the host that is empty and ours. */
  readonly folder: string
  /** Runs shell text on the host past the driver, and gives its standard output. */
  exec(script: string): Promise<string>
}
