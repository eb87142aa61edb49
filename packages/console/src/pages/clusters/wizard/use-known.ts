import {
  allowed,
  getSoftwarePackageConfigSchema,
  queryClusterPlugin,
  queryHost,
  queryManagementNode,
  querySoftwarePackage,
} from '@wharf/contract'
import { useChoices } from '../../../parts/choices/use-choices.ts'
import { useSearch } from '../../../parts/choices/use-search.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useAnswer } from '../../../wharf/answers.ts'
import { useConfigurations } from '../use-configuration.ts'
import type { ClusterForm } from './cluster-form.ts'
import type { Known } from './preflight.ts'

/** To choose nodes from; one beyond is found by its address. */
const manyHosts = { limit: 1000, sort: '+name' }
/** What is on backup storage, or has another status, could not be chosen. */
const formable = [`status?=${[...allowed.initialise, ...allowed.reattach].join(',')}`, 'hostUuid not null']

export interface KnownPackage {
  readonly uuid: string
  readonly name: string
  readonly status: string
  readonly hostUuid: string | null
  readonly takenBy: string | undefined
}

/** Everything that the wizard chooses from and checks by, kept true while it is open. */
export function useKnown(pluginUuid: string | undefined, form: ClusterForm) {
  const { softwarePackageUuid: wanted } = form
  const { text, listOf } = useSearch()
  const choices = useChoices(querySoftwarePackage, { text, chosen: wanted, only: formable })
  const hosts = useAnswer(queryHost, manyHosts)
  const isCut = hosts.data?.inventories?.length === manyHosts.limit
  const own = useAnswer(queryHost, { q: [`uuid=${choices.chosen?.hostUuid}`] }, { enabled: isCut })
  const named = [form.managementIp, form.second, form.third].map((address) => address.trim()).filter(Boolean)
  const others = useAnswer(queryHost, { q: [`address?=${named.join(',')}`] }, { enabled: isCut && named.length > 0 })
  const beyond = isCut ? [own, others].flatMap(({ data }) => data?.inventories ?? []) : []
  const abilities = useAnswer(getSoftwarePackageConfigSchema, { uuid: wanted }, { enabled: wanted !== '' })
  const nodes = useAnswer(queryManagementNode, {})
  const { takenBy, error: unread } = useTakers(pluginUuid)
  const knownPackage = (one: RecordOf<typeof querySoftwarePackage>): KnownPackage => {
    const { uuid = '', name = '', hostUuid = null } = one
    return { uuid, name, status: one.status ?? '', hostUuid, takenBy: takenBy(uuid) }
  }
  const isAnswered = abilities.data !== undefined && !abilities.isPlaceholderData
  return {
    error: hosts.error ?? choices.error ?? abilities.error ?? nodes.error ?? unread,
    hosts: [...(hosts.data?.inventories ?? []), ...beyond] as Known['hosts'],
    url: nodes.data?.inventories?.find(({ status }) => status === 'Alive')?.url ?? undefined,
    packages: choices.records.map(knownPackage),
    package: choices.chosen && knownPackage(choices.chosen),
    /** Undefined while that is not known. */
    canForm: wanted !== '' && isAnswered ? abilities.data.canFormCluster : undefined,
    list: listOf(choices),
  }
}

/** By package: the name of the cluster that runs on it, unless it is this one. */
function useTakers(pluginUuid: string | undefined) {
  const { configurations, error } = useConfigurations()
  const plugins = useAnswer(queryClusterPlugin, { limit: 1000, sort: '+name' })
  const takenBy = (packageUuid: string): string | undefined => {
    const other = [...configurations].find(
      ([uuid, { softwarePackageUuid }]) => softwarePackageUuid === packageUuid && uuid !== pluginUuid,
    )
    return other && (plugins.data?.inventories?.find(({ uuid }) => uuid === other[0])?.name ?? other[0])
  }
  return { takenBy, error: error ?? plugins.error }
}
