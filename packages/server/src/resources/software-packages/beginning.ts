import type { Tx } from '@wharf/database/database.ts'
import type { Caller } from '../../calls/caller.ts'
import type { JobRequest } from '../../jobs/service.ts'

/** What a call brings along, whoever carries it. */
export interface Beginning {
  readonly caller: Caller
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly job: JobRequest
  /** Another node handed it on. */
  readonly isRelayed: boolean
  /** Of the API, as the caller knows it. */
  address(): string
  commit<T extends object>(work: (tx: Tx) => Promise<T>): Promise<T>
  authorise(tx: Tx): Promise<void>
}

/** Work on a node's own machine, or with a node's own folder, is that node's. */
export const nodeOf = ({ managementNodeUuid }: { managementNodeUuid: string | null }) =>
  managementNodeUuid === null ? {} : { managementNodeUuid }
