import type { Wharf } from '@wharf/sdk'
import type { OptionSpecs } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { type FoundRecord, recordsOf, resolveRecord, resolveUuid } from '../../names/resolve-record.ts'
import { printable } from '../../output/printable.ts'

export const hostOption = {
  '--host <name>': { help: 'the host, when several have the package', names: 'hosts' },
} as const satisfies OptionSpecs

/** The installed package of this name; a host may also have its earlier versions. */
export async function resolveInstalled(wharf: Wharf, name: string, host: string | undefined): Promise<FoundRecord> {
  if (host === undefined)
    return resolveRecord(wharf, 'softwarePackages', name, 'name its host with --host, or use the uuid')
  const hostUuid = await resolveUuid(wharf, 'hosts', host)
  const q = ['status?=Installed,Initialized', `hostUuid=${hostUuid}`]
  const onHost = await recordsOf(wharf, 'softwarePackages', { q })
  // a uuid may have dashes and capitals
  const uuid = name.replaceAll('-', '').toLowerCase()
  const installed = onHost.find((record) => record.name === name || record.uuid === uuid)
  if (installed) return installed
  const names = [...new Set(onHost.map((record) => printable(String(record.name))))].sort()
  throw new CommandError(
    `host ${printable(host)} has no installed package ${printable(name)}`,
    names.length === 0 ? 'nothing is installed there' : `installed there: ${names.join(', ')}`,
  )
}
