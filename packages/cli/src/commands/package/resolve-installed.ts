import type { Wharf } from '@wharf/sdk'
import type { OptionSpecs } from '../../command.ts'
import { type FoundRecord, recordsOf, resolveRecord, resolveUuid } from '../../names/resolve-record.ts'

export const hostOption = {
  '--host <name>': { help: 'the host, when several have the package', names: 'hosts' },
} as const satisfies OptionSpecs

/** The installed package of this name; a host may also have its earlier versions. */
export async function resolveInstalled(wharf: Wharf, name: string, host: string | undefined): Promise<FoundRecord> {
  if (host === undefined) return resolveRecord(wharf, 'softwarePackages', name)
  const hostUuid = await resolveUuid(wharf, 'hosts', host)
  const q = [`name=${name}`, 'status?=Installed,Initialized', `hostUuid=${hostUuid}`]
  const [installed] = await recordsOf(wharf, 'softwarePackages', { q, limit: 1 })
  return installed ?? resolveRecord(wharf, 'softwarePackages', name)
}
