import { ApiJobInventory, retryApiJob } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Call } from '../calls/call-context.ts'
import type { JobRow } from '../jobs/job-row.ts'
import type { JobService } from '../jobs/service.ts'
import { refusalOf } from './authorise.ts'
import { refusingUuidConflict } from './chosen-uuid.ts'
import type { ServedBinding } from './exchange.ts'
import { ScopedCall } from './scoped-call.ts'

/** Repeats the call of a job as a call of this caller: every rule of its operation applies again. */
export function retryBinding(
  { jobs, database }: { jobs: JobService; database: Database },
  bindings: readonly ServedBinding[],
): ServedBinding {
  const byName = new Map(bindings.filter(({ job }) => job).map((binding) => [binding.operation.name, binding]))
  return {
    operation: retryApiJob,
    async handler(call, exchange) {
      const { uuid = '' } = call.path as { uuid?: string }
      const { row, call: sent } = await jobs.callToRetry(call.caller, uuid)
      const binding = byName.get(row.operation)
      if (binding === undefined) throw new ApiError('SYS.1014', `this version has no operation ${row.operation}`)
      const { operation, job, handler } = binding
      const refusal = refusalOf(operation, call.caller, call.source)
      if (refusal) throw refusal
      const { scope } = call.caller
      if (scope !== undefined) {
        const scoped = await ScopedCall.enter({ database, operation, scope }, sent.path, sent.fields)
        const [uuid] = scoped.hiddenUuids
        if (uuid !== undefined) throw notFound('resource', uuid)
      }
      const commit = (work: Parameters<Call['commit']>[0]): Promise<object> =>
        call.commit(async (tx) => {
          await jobs.takeCall(tx, row)
          if (row.subjectUuid !== null) await job?.prepareRetry?.(tx, row.subjectUuid)
          const started = await work(tx)
          if (!('jobUuid' in started)) throw nothingToDo(row)
          return { inventory: shownJob(await jobs.get(String(started.jobUuid), tx)) }
        })
      const repeated = {
        ...call,
        path: sent.path,
        fields: sent.fields,
        tags: sent.tags,
        // a chosen job uuid identifies this call, whose answer may be stored under it
        job: { caller: call.caller, timeoutSeconds: call.job.timeoutSeconds ?? sent.timeoutSeconds },
        commit: refusingUuidConflict(operation, sent.fields, commit as Call['commit']),
      } as Call
      const answer = await handler(repeated, exchange)
      // an operation that finds its work done commits nothing
      if (answer === undefined || !('inventory' in answer)) throw nothingToDo(row)
      return answer
    },
  }
}

/** Without the private columns. */
const shownJob = (row: JobRow): object =>
  Object.fromEntries(
    Object.keys(ApiJobInventory.schema.properties).map((name) => [
      name,
      name === 'canRetry' ? false : row[name as keyof JobRow],
    ]),
  )

const nothingToDo = ({ uuid, operation }: JobRow): ApiError =>
  new ApiError('SYS.1006', `job ${uuid} has nothing left to do: what ${operation} does has been done since`)
