import { type Operation, operations } from '@wharf/contract'
import type { SeededRandom } from '../seeded-random.ts'

/** A record that an earlier call created, with the fields needed to use it. */
export interface Entry {
  readonly uuid: string
  readonly [fact: string]: unknown
}

/** Collections that values of other fields refer to by a short name. */
const kinds = {
  '/v1/zwatch/third-party/platforms': 'platforms',
  '/v1/zwatch/third-party/alerts': 'alerts',
  '/v1/backup-storage': 'storages',
  '/v1/sns/application-endpoints/chatapp/at-persons': 'persons',
  '/v1/sns/application-endpoints/chatapp': 'endpoints',
  '/v1/sns/deliveries': 'deliveries',
  '/v1/cluster-plugin': 'plugins',
  '/v1/hosts': 'hosts',
  '/v1/accesskeys': 'keys',
  '/v1/accounts/sessions': 'sessions',
  '/v1/accounts': 'accounts',
  '/v1/users': 'users',
  '/v1/api-jobs': 'jobs',
  '/v1/management-nodes': 'nodes',
  '/v1/migrate/vm-instances': 'machines',
  '/v1/software-package/install': 'packages',
  '/v1/software-package': 'packages',
  '/v1/system-tags': 'systemTags',
  '/v1/tags': 'tags',
  '/v1/user-tags': 'userTags',
} as const

export type Kind = (typeof kinds)[keyof typeof kinds] | 'heldJobs' | 'uploadAddresses' | `/${string}`

/** The kind of the records below a path; its collection where no short name is defined. */
export function kindAt(path: string): Kind {
  const base = path.slice(0, path.indexOf('/{uuid}') < 0 ? undefined : path.indexOf('/{uuid}'))
  return (kinds as Record<string, Kind>)[base] ?? (base as Kind)
}

/** The operation that creates records in the collection of a path. */
export const creatorAt = (path: string): Operation | undefined =>
  operations.find(
    ({ method, path: at, answer }) =>
      method === 'POST' && at === path && answer !== 'empty' && Object.hasOwn(answer, 'inventory'),
  )

/** What the calls of one worker have created and can use again. */
export class Pool {
  readonly #entries = new Map<Kind, Map<string, Entry>>()
  /** Records as queries showed them, by their collection: conditions are made of them. */
  readonly seen = new Map<string, Record<string, unknown>[]>()

  add(kind: Kind, entry: Entry): void {
    const known = this.#entries.get(kind) ?? new Map<string, Entry>()
    this.#entries.set(kind, known.set(entry.uuid, { ...known.get(entry.uuid), ...entry }))
  }

  remove(kind: Kind, uuid: string): void {
    this.#entries.get(kind)?.delete(uuid)
  }

  get(kind: Kind, uuid: string | undefined): Entry | undefined {
    return uuid === undefined ? undefined : this.#entries.get(kind)?.get(uuid)
  }

  all(kind: Kind): Entry[] {
    return [...(this.#entries.get(kind)?.values() ?? [])]
  }

  /** A preferred entry, if one exists. */
  pick(kind: Kind, random: SeededRandom, isPreferred: (entry: Entry) => boolean = () => true): Entry | undefined {
    const all = this.all(kind)
    const preferred = all.filter(isPreferred)
    const from = preferred.length > 0 ? preferred : all
    return from.length === 0 ? undefined : random.pick(from)
  }
}
