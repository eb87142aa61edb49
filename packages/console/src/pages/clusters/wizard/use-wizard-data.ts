import {
  allowed,
  getSoftwarePackageConfigSchema,
  queryClusterPlugin,
  queryHost,
  queryManagementNode,
  querySoftwarePackage,
} from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useApiQueries, useApiQuery } from '../../../data/api-query.ts'
import { clusterOn } from '../configuration.ts'
import { useConfigurations } from '../use-cluster.ts'
import type { ClusterForm } from './cluster-form.ts'
import { publicUrlOf, type WizardData } from './preflight.ts'

/** Suggested nodes; further hosts are found by address. */
const manyHosts = { limit: 1000, sort: '+name' }
/** Only packages that can be chosen. */
const formable = [`status?=${[...allowed.initialise, ...allowed.reattach].join(',')}`, 'hostUuid not null']

export interface PackageInfo {
  readonly uuid: string
  readonly name: string
  readonly status: string
  readonly hostUuid: string | null
  readonly takenBy: string | undefined
}

/** The records that the wizard offers and validates, refetched while it is open. */
export function useWizardData(pluginUuid: string | undefined, form: ClusterForm) {
  const { softwarePackageUuid: wanted } = form
  const { text, listOf } = useSearch()
  const choices = useChoices(querySoftwarePackage, { text, chosen: wanted, only: formable })
  const hosts = useApiQuery(queryHost, manyHosts)
  const isCut = hosts.data?.inventories?.length === manyHosts.limit
  const own = useApiQuery(queryHost, { q: [`uuid=${choices.chosen?.hostUuid}`] }, { enabled: isCut })
  const named = [form.managementIp, form.second, form.third].map((address) => address.trim()).filter(Boolean)
  const others = useApiQuery(queryHost, { q: [`address?=${named.join(',')}`] }, { enabled: isCut && named.length > 0 })
  const beyond = isCut ? [own, others].flatMap(({ data }) => data?.inventories ?? []) : []
  const abilities = useApiQuery(getSoftwarePackageConfigSchema, { uuid: wanted }, { enabled: wanted !== '' })
  const nodes = useApiQuery(queryManagementNode, {})
  const { takenBy, error: unread } = useTakers(pluginUuid)
  const knownPackage = (one: RecordOf<typeof querySoftwarePackage>): PackageInfo => {
    const { uuid = '', name = '', hostUuid = null } = one
    return { uuid, name, status: one.status ?? '', hostUuid, takenBy: takenBy(uuid) }
  }
  const isAnswered = abilities.data !== undefined && !abilities.isPlaceholderData
  return {
    error: hosts.error ?? choices.error ?? abilities.error ?? nodes.error ?? unread,
    hosts: [...(hosts.data?.inventories ?? []), ...beyond] as WizardData['hosts'],
    url: publicUrlOf(nodes.data?.inventories ?? []),
    packages: usePackagesThatForm(choices.records).map(knownPackage),
    package: choices.chosen && knownPackage(choices.chosen),
    /** Undefined while loading. */
    canForm: wanted !== '' && isAnswered ? abilities.data.canFormCluster : undefined,
    list: listOf(choices),
  }
}

/** Packages whose wharf.json has no program that forms a cluster are left out; unknown ones stay until it is known. */
function usePackagesThatForm(records: readonly RecordOf<typeof querySoftwarePackage>[]) {
  const abilities = useApiQueries(
    getSoftwarePackageConfigSchema,
    records.map(({ uuid = '' }) => ({ uuid })),
  )
  return records.filter((_, index) => abilities[index]?.data?.canFormCluster !== false)
}

/** By package: the name of the cluster that runs on it, unless it is this one. */
function useTakers(pluginUuid: string | undefined) {
  const { configurations, error } = useConfigurations()
  const plugins = useApiQuery(queryClusterPlugin, { limit: 1000, sort: '+name' })
  const names = new Map((plugins.data?.inventories ?? []).map(({ uuid = '', name = '' }) => [uuid, name]))
  const takenBy = (packageUuid: string): string | undefined =>
    clusterOn(packageUuid, { configurations, names, except: pluginUuid })
  return { takenBy, error: error ?? plugins.error }
}
