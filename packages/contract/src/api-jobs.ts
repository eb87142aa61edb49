import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Flag, Integer, Long, Name, optional, orNull, Sealed, Text, Timestamp, Uuid } from './schema.ts'
import { deletionFields } from './shared-fields.ts'

const since = 'wharf-1.0.0'
const resource = 'jobs'

export const jobStates = ['Waiting', 'Running', 'Undoing', 'Succeeded', 'Failed', 'Cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** The states of a job that has not ended. */
export const activeJobStates = ['Waiting', 'Running', 'Undoing'] as const satisfies readonly JobState[]
export const isActiveJob = (state: string | undefined): boolean => activeJobStates.some((active) => active === state)
/** The condition of a query for jobs that have not ended. */
export const activeJobsQuery = `state?=${activeJobStates.join()}`

export const ApiJobInventory = inventory({
  name: 'ApiJobInventory',
  since,
  events: ['ApiJob'],
  table: 'jobs',
  fields: {
    uuid: Uuid(),
    operation: Name(),
    subjectUuid: orNull(Uuid()),
    accountUuid: Uuid(),
    userUuid: Uuid(),
    managementNodeUuid: orNull(Uuid({ description: 'The node whose disk the job uses' })),
    state: Choice(jobStates),
    progress: Integer(0, 100),
    currentStep: orNull(Name()),
    errorCode: orNull(Name()),
    deadline: Timestamp(),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    /** The step that runs next, or the one to undo next. */
    position: Long(),
    sealedInput: Sealed(),
    /** What the finished steps left for the later ones. */
    sealedMemory: orNull(Sealed()),
    /** The answer of a finished job, or the failure of one that is being undone. */
    sealedOutcome: orNull(Sealed()),
    owner: orNull(Name()),
    /** Counts the owners; a write with an older number is rejected. */
    fence: Long(),
    leaseUntil: Timestamp(),
    cancelRequested: Flag(),
  },
})

export const { query: queryApiJob } = queryOperations({
  resource,
  noun: 'ApiJob',
  client: 'jobs',
  plural: 'jobs',
  path: '/v1/api-jobs',
  inventory: ApiJobInventory,
})

const token = optional(
  Text(128, { description: 'The token in the location of the job; replaces the Authorization header' }),
)

/** Returns 202 with these fields while the job runs, then the answer of the operation. */
export const getApiJob = operation({
  name: 'GetApiJob',
  client: null,
  resource,
  method: 'GET',
  path: '/v1/api-jobs/{uuid}',
  summary: 'Get the result of a job: 202 while it runs, 200 with the answer of its operation, 503 with its failure',
  since,
  permission: 'read',
  mode: 'stream',
  extendsSession: false,
  fields: { token },
  answer: {
    uuid: Uuid(),
    operation: orNull(Name()),
    subjectUuid: orNull(Uuid()),
    state: orNull(Choice(jobStates)),
    progress: orNull(Integer(0, 100)),
    currentStep: orNull(Name()),
    createDate: orNull(Timestamp()),
  },
  errors: ['SYS.1003'],
})

export const cancelApiJob = operation({
  name: 'CancelApiJob',
  client: 'jobs.cancel',
  resource,
  method: 'DELETE',
  path: '/v1/api-jobs/{uuid}',
  summary: 'Cancel a job; its finished steps are undone',
  since,
  permission: 'operate',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'JOB.1001'],
})

export const getApiJobLog = operation({
  name: 'GetApiJobLog',
  client: null,
  resource,
  method: 'GET',
  path: '/v1/api-jobs/{uuid}/log',
  summary: 'Get the log of a job as text, or with follow as a stream of events',
  since,
  permission: 'read',
  mode: 'stream',
  extendsSession: false,
  fields: { token, follow: optional(Flag()) },
  answer: {},
  errors: ['SYS.1003', 'SYS.1006'],
})
