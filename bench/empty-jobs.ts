import { operation } from '@wharf/contract'
import { makeLog } from '@wharf/platform/log.ts'
import { startApp } from '@wharf/server/composition/app.ts'
import { readSettings } from '@wharf/server/composition/settings.ts'
import { type JobDefinition, step } from '@wharf/server/jobs/definition.ts'
import { temporaryFolder } from './bench-server.ts'
import type { Pattern } from './peers/engine-alone.ts'
import { RecordedStatements } from './peers/recorded-statements.ts'

const nothing = operation({
  name: 'DoNothing',
  resource: 'bench',
  method: 'POST',
  path: '/v1/nothing',
  structure: 'params',
  summary: 'A job with one empty step',
  since: 'wharf-1.0.0',
  permission: 'operate',
  mode: 'job',
  fields: {},
  answer: {},
})
const emptyJob: JobDefinition = {
  operation: nothing,
  steps: [step('nothing', async () => {})],
  succeeded: async () => ({}),
}

interface AppWithJobs {
  /** One job, from its call to its end; its uuid. */
  doJob(): Promise<string>
  /** The statements that one of them took; polling for events, which is shared by many jobs, is not included. */
  readonly pattern: Pattern
}

/** A server in this process that can do empty jobs. */
export async function appWithJobs(
  cleanup: AsyncDisposableStack,
  environment: Record<string, string>,
): Promise<AppWithJobs> {
  const folder = temporaryFolder(cleanup)
  using statements = new RecordedStatements()
  const variables = { WHARF_DATA: folder, WHARF_PORT: '0', WHARF_DISCOVERY: 'none', ...environment }
  const app = await startApp({ settings: readSettings(variables, { root: folder }), log: makeLog('silent') })
  cleanup.defer(() => app.close())
  const { database, jobs } = app.foundation
  jobs.runner.register(emptyJob)
  const request = { caller: { accountUuid: '0'.repeat(32), userUuid: '0'.repeat(32) } }
  const doJob = async (): Promise<string> => {
    const { jobUuid } = await database.transaction((tx) =>
      jobs.enqueue(tx, emptyJob, { request, subject: null, host: null, input: {} }),
    )
    const { state } = await jobs.wait(jobUuid, 60_000)
    if (state !== 'Succeeded') throw new Error(`a job ended as ${state}`)
    return jobUuid
  }
  const uuid = await doJob()
  const units = statements.about(uuid)
  // it is queued in one and ended in another
  if (units.filter((unit) => unit.length > 1).length < 2) throw new Error('the statements of a job were not recorded')
  return { doJob, pattern: { uuid, units } }
}
