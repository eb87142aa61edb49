import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Flag, Integer, List, Long, Name, optional, orNull, Sealed, Text, Timestamp, Uuid } from './schema.ts'
import { deletionFields } from './shared-fields.ts'

const since = 'wharf-1.0.0'
const next = 'wharf-1.1.0'
const resource = 'jobs'

export const jobStates = ['Waiting', 'Running', 'Undoing', 'Succeeded', 'Failed', 'Cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** The states of a job that has not ended. */
export const activeJobStates = ['Waiting', 'Running', 'Undoing'] as const satisfies readonly JobState[]
export const isActiveJob = (state: string | undefined): boolean => activeJobStates.some((active) => active === state)
/** The condition of a query for jobs that have not ended. */
export const activeJobsQuery = `state?=${activeJobStates.join()}`

const operationName = Name({ description: 'The operation that started the job, such as InstallSoftwarePackage' })
const subjectUuid = Uuid({ description: 'The record that the job works on; null when there is none' })
const state = Choice(jobStates, {
  description: 'Undoing reverts the steps of a job that fails or is cancelled; the last three states are final',
})
const progress = Integer(0, 100, { description: 'The progress in percent' })
const currentStep = Name({
  description: 'The step that runs or is being undone, or that is next; null when the job has ended',
})

export const ApiJobInventory = inventory({
  name: 'ApiJobInventory',
  since,
  events: ['ApiJob'],
  table: 'jobs',
  scope: 'job',
  computed: ['canRetry'],
  fields: {
    uuid: Uuid(),
    operation: operationName,
    subjectUuid: orNull(subjectUuid),
    relatedUuid: orNull(
      Uuid({
        since: next,
        description:
          'The second record of a job with two: the version that an upgrade or a rollback installs in place of the subject',
      }),
    ),
    subjectName: orNull(Name({ since: next, description: 'The name of the record when the job started' })),
    subjectVersion: orNull(
      Name({ since: next, description: 'The version of the software package, once it has been inspected' }),
    ),
    targetName: orNull(
      Name({ since: next, description: 'The name of the host or backup storage that the job works on' }),
    ),
    accountUuid: Uuid({ description: 'The account of the user who started it' }),
    userUuid: Uuid({ description: 'The user who started it' }),
    userName: orNull(Name({ since: next, description: 'The name of the user who started it' })),
    summary: orNull(
      Text(2048, {
        since: next,
        description:
          'What the job does, where, and by whom, in English: a condition such as summary~=%web-1% searches all of these',
      }),
    ),
    managementNodeUuid: orNull(Uuid({ description: 'The node whose disk the job uses' })),
    state,
    progress,
    currentStep: orNull(currentStep),
    errorCode: orNull(
      Name({
        description: 'The code of the failure or the cancellation, also while the job is undone; null without one',
      }),
    ),
    deadline: Timestamp({ description: 'When the job is aborted and undone, unless it has ended' }),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
    endDate: orNull(Timestamp({ since: next, description: 'Null until it has ended' })),
    canRetry: Flag({
      since: next,
      description: 'Whether it has failed or was cancelled, and its call is stored, so that RetryApiJob can repeat it',
    }),
  },
  private: {
    /** The host that it works on; null without one, and in rows of an older version. */
    hostUuid: orNull(Uuid()),
    /** The step that runs next, or the one to undo next. */
    position: Long(),
    sealedInput: Sealed(),
    /** The call that started it, until it has succeeded; null when no call did, and in rows of an older version. */
    sealedCall: orNull(Sealed()),
    /** What the finished steps left for the later ones. */
    sealedMemory: orNull(Sealed()),
    /** The answer of a finished job, or the failure of one that is being undone. */
    sealedOutcome: orNull(Sealed()),
    owner: orNull(Name()),
    /** Counts the owners; a write with an older number is rejected. */
    fence: Long(),
    leaseUntil: Timestamp(),
    cancelRequested: Flag(),
    /** JSON: who started it, for the audit entry of its end; null in rows of an older version. */
    auditSource: orNull(Text(4096)),
    /** JSON: what its steps have changed of its subject so far, for the audit entry of its end. */
    auditChanges: orNull(Text(65_536)),
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
    operation: orNull(operationName),
    subjectUuid: orNull(subjectUuid),
    state: orNull(state),
    progress: orNull(progress),
    currentStep: orNull(currentStep),
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

export const retryApiJob = operation({
  name: 'RetryApiJob',
  client: 'jobs.retry',
  resource,
  method: 'PUT',
  path: '/v1/api-jobs/{uuid}/actions',
  structure: 'retryApiJob',
  summary: 'Repeat the call of a failed or cancelled job, with the same input, as a new job of the caller',
  since: next,
  permission: 'operate',
  fields: {},
  answer: { inventory: ApiJobInventory.schema },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1006'],
  repeatsJobs: true,
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
  fields: {
    token,
    follow: optional(Flag({ description: 'Also return the lines that are written later, until the job ends' })),
    timestamps: optional(
      Flag({ since: next, description: 'Start each line with its time, in UTC with milliseconds, and a space' }),
    ),
  },
  answer: {},
  errors: ['SYS.1003', 'SYS.1006'],
})

/** In UTC with milliseconds: steps and lines follow each other within a second. */
const PreciseTime = (description: string) => Text(24, { description, examples: ['2026-11-05T01:02:03.456Z'] })

export const ApiJobLogLine = inventory({
  name: 'ApiJobLogLine',
  since: next,
  events: [],
  fields: {
    number: Long({ description: 'The position in the log, from 1 without gaps' }),
    time: PreciseTime('When the line was written, in RFC 3339'),
    line: Text(9000, {
      description:
        'The text. The only control characters are tabs and the escape sequences of colours and text styles (SGR), which end with the line',
    }),
  },
})

/** As many lines as one call returns. */
export const maxLogLines = 1000

export const getApiJobLogLines = operation({
  name: 'GetApiJobLogLines',
  client: 'jobs.logLines',
  resource,
  method: 'GET',
  path: '/v1/api-jobs/{uuid}/log-lines',
  summary: 'Get a part of the log of a job, or the lines that contain a text',
  since: next,
  permission: 'read',
  extendsSession: false,
  fields: {
    after: optional(Long({ description: 'Only lines after the one with this number; defaults to 0' })),
    limit: optional(Integer(1, maxLogLines, { description: `The most lines to return; defaults to ${maxLogLines}` })),
    contains: optional(
      Text(255, {
        minLength: 1,
        description: 'Only lines that contain this text, in upper or lower case, whatever its colours',
      }),
    ),
  },
  answer: {
    lines: List(ApiJobLogLine.schema, { description: 'In their order' }),
    lastNumber: Long({ description: 'The number of the last line that is written so far; 0 for an empty log' }),
    nextAfter: orNull(Long({ description: 'The `after` of the next call; null when the last line has been read' })),
  },
  errors: ['SYS.1003'],
})

export const jobStepStates = ['Pending', 'Running', 'Succeeded', 'Failed', 'Cancelled', 'Skipped'] as const
export type JobStepState = (typeof jobStepStates)[number]

export const jobUndoStates = ['Undoing', 'Undone', 'UndoFailed'] as const
export type JobUndoState = (typeof jobUndoStates)[number]

export const ApiJobStep = inventory({
  name: 'ApiJobStep',
  since: next,
  events: ['ApiJob'],
  fields: {
    name: Name({ description: 'Its name in currentStep and in the log' }),
    title: Name({ description: 'What the step does' }),
    state: Choice(jobStepStates, { description: 'Skipped: the job ended before this step' }),
    undoState: orNull(Choice(jobUndoStates, { description: 'Null when the step has not been undone' })),
    startTime: orNull(PreciseTime('When it first started, in RFC 3339')),
    endTime: orNull(PreciseTime('When it succeeded, failed or was cancelled')),
    undoStartTime: orNull(PreciseTime('When its undo started')),
    undoEndTime: orNull(PreciseTime('When its undo ended')),
    logLine: orNull(Long({ description: 'The number of the first line that it wrote to the log' })),
    undoLogLine: orNull(Long({ description: 'The number of the first line that its undo wrote to the log' })),
  },
})

export const getApiJobSteps = operation({
  name: 'GetApiJobSteps',
  client: 'jobs.steps',
  resource,
  method: 'GET',
  path: '/v1/api-jobs/{uuid}/steps',
  summary: 'Get the steps of a job: what each does, its state and its times',
  since: next,
  permission: 'read',
  extendsSession: false,
  fields: {},
  answer: {
    steps: List(ApiJobStep.schema, { description: 'In the order in which they run' }),
    failureFirstLine: orNull(
      Long({ description: 'The number of the log line with the start of the failure; null for a job without one' }),
    ),
    failureLastLine: orNull(Long({ description: 'The number of the log line with the end of the failure' })),
  },
  errors: ['SYS.1003'],
})
