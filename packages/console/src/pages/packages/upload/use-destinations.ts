import { queryBackupStorage, queryHost, querySoftwarePackage } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import { useHostRefusal } from '../../../components/permission.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { type Destination, hostDestination, onlyOne, storageDestination } from './destination.ts'
import { type UploadSuggestions, uploadSuggestions } from './upload-suggestions.ts'

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

const usable = { q: ['state=Enabled', 'status=Connected'], sort: '+name', limit: 2 }

/** The usable host or backup storage if there is only one; the user chooses among several. */
export function useOnlyDestination(): { destination: Destination | undefined; error: Error | null } {
  const refused = useHostRefusal()
  const reachable = refused({ driver: 'local' }) === undefined ? [] : ['driver!=local']
  const hosts = useApiQuery(queryHost, { ...usable, q: [...usable.q, ...reachable] })
  const storages = useApiQuery(queryBackupStorage, usable)
  const destination = onlyOne([
    hosts.data?.inventories?.map(hostDestination),
    storages.data?.inventories?.map(storageDestination),
  ])
  return { destination, error: hosts.error ?? storages.error }
}

/** The types and folders of recent packages. */
export function useUploadSuggestions(): UploadSuggestions {
  const { data } = useApiQuery(querySoftwarePackage, {
    fields: ['type', 'installPath', 'hostUuid'],
    sort: '-createDate',
    limit: 100,
  })
  return uploadSuggestions(data?.inventories ?? [])
}
