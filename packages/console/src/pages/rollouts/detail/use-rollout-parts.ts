import { queryRolloutTarget, queryRolloutWave } from '@wharf/contract'
import { useMemo } from 'react'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useApiQuery } from '../../../data/api-query.ts'

export type Wave = Required<RecordOf<typeof queryRolloutWave>>
export type Target = Required<RecordOf<typeof queryRolloutTarget>>

/** The most records of one answer. */
const maxRecords = 10_000

/** Numbers within names count: web-2 is before web-10. */
const collator = new Intl.Collator('en', { numeric: true })

/** What a cell shows: a diagram of a thousand hosts is refetched often. */
const cellFields = ['uuid', 'hostName', 'wave', 'state'] as const
export type CellTarget = Pick<Target, (typeof cellFields)[number]>

/** Sorted by host. */
const sortedTargets = <T extends Pick<Target, 'hostName'>>(targets: readonly T[]): T[] =>
  targets.toSorted((one, other) => collator.compare(one.hostName, other.hostName))

/** The waves and hosts of a rollout; every event about one of them refetches them. */
export function useRolloutParts(uuid: string) {
  const waves = useApiQuery(queryRolloutWave, { uuid, sort: '+number', limit: maxRecords })
  const targets = useApiQuery(queryRolloutTarget, {
    uuid,
    sort: '+hostName',
    limit: maxRecords,
    fields: [...cellFields],
    replyWithCount: true,
  })
  const { inventories } = targets.data ?? {}
  return {
    waves: waves.data?.inventories as Wave[] | undefined,
    targets: useMemo(() => inventories && sortedTargets(inventories as CellTarget[]), [inventories]),
    /** Hosts beyond the limit of one answer. */
    omittedCount: Math.max(0, (targets.data?.total ?? 0) - maxRecords),
    error: waves.error ?? targets.error,
  }
}

/** One host of a rollout; undefined while loading. */
export function useTarget(rolloutUuid: string, targetUuid: string): Target | undefined {
  const { data } = useApiQuery(queryRolloutTarget, { uuid: rolloutUuid, q: [`uuid=${targetUuid}`] })
  return data?.inventories?.find(({ uuid }) => uuid === targetUuid) as Target | undefined
}

/** The hosts of a rollout with all their fields. */
export function useTargets(uuid: string) {
  const query = useApiQuery(queryRolloutTarget, { uuid, sort: '+hostName', limit: maxRecords })
  const { inventories } = query.data ?? {}
  const targets = useMemo(() => inventories && sortedTargets(inventories as Target[]), [inventories])
  return { targets, error: query.error, isFetching: query.isFetching, refetch: () => void query.refetch() }
}
