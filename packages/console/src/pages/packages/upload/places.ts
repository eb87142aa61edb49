import { queryBackupStorage, queryHost, querySoftwarePackage } from '@wharf/contract'
import { useAnswer } from '../../../wharf/answers.ts'

/** Where a package can go. */
export interface Place {
  readonly kind: 'host' | 'storage'
  readonly uuid: string
  readonly name: string
  readonly availableCapacity: number
  /** Why it takes nothing at the moment: the state or status that stands in the way. */
  readonly obstacle: string | undefined
}

type Listed = { uuid?: string; name?: string; state?: string; status?: string; availableCapacity?: number }

const fields = ['uuid', 'name', 'state', 'status', 'availableCapacity']
const asked = { fields, sort: '+name', limit: 1000 }

const placeOf =
  (kind: Place['kind']) =>
  ({ uuid = '', name = '', state = '', status = '', availableCapacity = 0 }: Listed): Place => {
    const obstacle = state !== 'Enabled' ? state : status !== 'Connected' ? status : undefined
    return { kind, uuid, name, availableCapacity, obstacle }
  }

/** Hosts and backup storage, those first that can take something. */
export function usePlaces(): { places: readonly Place[]; isPending: boolean } {
  const hosts = useAnswer(queryHost, asked)
  const storages = useAnswer(queryBackupStorage, asked)
  const places = [
    ...(hosts.data?.inventories ?? []).map(placeOf('host')),
    ...(storages.data?.inventories ?? []).map(placeOf('storage')),
  ]
  return { places, isPending: hosts.isPending || storages.isPending }
}

/** What was typed for the packages that came last. */
export function useHabits(): { types: readonly string[]; foldersOf: (place: Place | undefined) => readonly string[] } {
  const { data } = useAnswer(querySoftwarePackage, {
    fields: ['type', 'installPath', 'hostUuid'],
    sort: '-createDate',
    limit: 100,
  })
  const before = data?.inventories ?? []
  return {
    types: [...new Set(before.map(({ type = '' }) => type))],
    foldersOf: (place) => {
      const hostUuid = place?.kind === 'host' ? place.uuid : null
      const there = before.filter((one) => one.hostUuid === hostUuid)
      return [...new Set(there.map(({ installPath = '' }) => installPath.replace(/\/?[^/]*$/, '')))].filter(Boolean)
    },
  }
}
