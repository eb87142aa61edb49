import type { Tx } from '@wharf/database/database.ts'
import { isTransientFailure } from '@wharf/ssh/failure.ts'
import { fetchHostKey } from '@wharf/ssh/fetch-host-key.ts'
import { type JobContext, type Step, step } from '../jobs/definition.ts'
import { retryInJob } from '../jobs/retry-in-job.ts'
import type { RecordsWithConnectionStatus, RowWithConnectionStatus } from './connection-status.ts'

interface FirstConnectionJobDeps<Row extends RowWithConnectionStatus, Input, Inventory> {
  readonly records: RecordsWithConnectionStatus<Row, { close(): Promise<void> }>
  readonly tags: { detachAll(tx: Tx, resourceUuid: string): Promise<void> }
  /** The record as answers have it. */
  inventoryOf(row: Row): Inventory
  /** The columns of the host key; undefined for a record without one. */
  pin(row: Row, context: JobContext<Input>): Promise<Partial<Row> | undefined>
  /** The step that uses the record for the first time; it finds further columns. */
  readonly connect: { readonly name: string; run(row: Row, context: JobContext<Input>): Promise<Partial<Row>> }
}

interface FirstConnectionJob<Row, Input, Inventory> {
  readonly steps: readonly Step<Input, Row>[]
  succeeded(context: JobContext<Input, Row>, tx: Tx): Promise<{ inventory: Inventory }>
  failed(context: JobContext<Input, Row>, tx: Tx): Promise<void>
}

/**
 * The steps and the end of a job that adds a host or a storage. One that cannot be reached leaves no record, whichever node
 * ends the job. Until it is added it is Connecting, so nothing refers to it.
 */
export const firstConnectionJob = <Row extends RowWithConnectionStatus, Input extends object, Inventory>({
  records,
  tags,
  inventoryOf,
  pin,
  connect,
}: FirstConnectionJobDeps<Row, Input, Inventory>): FirstConnectionJob<Row, Input, Inventory> => ({
  steps: [
    step('pin', async (context) => {
      const row = await records.get(subjectOf(context))
      const columns = await pin(row, context)
      if (columns) await context.write((tx) => records.update(tx, row.uuid, columns))
    }),
    step(connect.name, async (context) => connect.run(await records.get(subjectOf(context)), context)),
  ],
  async succeeded({ stepResults, ...context }, tx) {
    const uuid = subjectOf(context)
    await records.update(tx, uuid, { ...stepResults, status: 'Connected' } as Partial<Row>)
    return { inventory: inventoryOf(await records.get(uuid, tx)) }
  },
  async failed(context, tx) {
    const uuid = subjectOf(context)
    await records.deleteIfConnecting(tx, uuid)
    await tags.detachAll(tx, uuid)
  },
})

/** Fetches the host key of a target; again after a transient failure. */
export const fetchKeyInJob = (
  target: Parameters<typeof fetchHostKey>[0],
  { signal, fingerprint }: { readonly signal: AbortSignal; readonly fingerprint: string | undefined },
): Promise<string> =>
  retryInJob((attempt) => fetchHostKey(target, { signal, attempt, fingerprint }), {
    signal,
    isTransient: isTransientFailure,
  })

function subjectOf({ subjectUuid }: Pick<JobContext, 'subjectUuid'>): string {
  if (subjectUuid === null) throw new Error('a job that adds a record has the record as its subject')
  return subjectUuid
}
