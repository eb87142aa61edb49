import { queryBackupStorage, queryHost, querySoftwarePackage } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import { useHostRefusal } from '../../../components/permission.ts'
import { useApiQuery } from '../../../data/api-query.ts'

/** A host or backup storage that packages are uploaded to. */
export interface Destination {
  readonly kind: 'host' | 'storage'
  readonly uuid: string
  readonly name: string
  readonly availableCapacity: number
  /** The writable folder of a host. */
  readonly packagesPath: string | null
  readonly driver?: string | undefined
  /** The state or status that makes it unusable. */
  readonly obstacle: string | undefined
}

interface Listed {
  uuid?: string
  name?: string
  state?: string
  status?: string
  availableCapacity?: number
  packagesPath?: string | null
  driver?: string
}

const destinationOf =
  (kind: Destination['kind']) =>
  ({
    uuid = '',
    name = '',
    state = '',
    status = '',
    availableCapacity = 0,
    packagesPath = null,
    driver,
  }: Listed): Destination => {
    const obstacle = state !== 'Enabled' ? state : status !== 'Connected' ? status : undefined
    return { kind, uuid, name, availableCapacity, packagesPath, driver, obstacle }
  }

export const hostDestination = destinationOf('host')
const storageDestination = destinationOf('storage')

/** Hosts and backup storage that match the search text, and the props of the select. */
export function useDestinations() {
  const { text, listOf } = useSearch()
  const hosts = useChoices(queryHost, { text })
  const storages = useChoices(queryBackupStorage, { text })
  return {
    hosts: hosts.records.map(hostDestination),
    storages: storages.records.map(storageDestination),
    list: listOf(hosts, storages),
  }
}

const usable = { q: ['state=Enabled', 'status=Connected'], sort: '+name', limit: 1 }

/** The first usable host, or else backup storage. */
export function useDefaultDestination(): { destination: Destination | undefined; error: Error | null } {
  const refused = useHostRefusal()
  const reachable = refused({ driver: 'local' }) === undefined ? [] : ['driver!=local']
  const hosts = useApiQuery(queryHost, { ...usable, q: [...usable.q, ...reachable] })
  const storages = useApiQuery(queryBackupStorage, usable)
  const [host] = hosts.data?.inventories ?? []
  const [storage] = storages.data?.inventories ?? []
  const destination = host ? hostDestination(host) : hosts.data && storage ? storageDestination(storage) : undefined
  return { destination, error: hosts.error ?? storages.error }
}

/** The types and folders of recent packages. */
export function useUploadSuggestions(): {
  types: readonly string[]
  foldersOf: (destination: Destination | undefined) => readonly string[]
} {
  const { data } = useApiQuery(querySoftwarePackage, {
    fields: ['type', 'installPath', 'hostUuid'],
    sort: '-createDate',
    limit: 100,
  })
  const before = data?.inventories ?? []
  return {
    types: [...new Set(before.map(({ type = '' }) => type))],
    foldersOf: (destination) => {
      const hostUuid = destination?.kind === 'host' ? destination.uuid : null
      const there = before.filter((one) => one.hostUuid === hostUuid)
      return [...new Set(there.map(({ installPath = '' }) => installPath.replace(/\/?[^/]*$/, '')))].filter(Boolean)
    },
  }
}
