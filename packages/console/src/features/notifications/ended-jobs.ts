import { type AnswerOf, type queryApiJob, rolloutJobs } from '@wharf/contract'
import { type EndState, endStates, type JobNotification } from './notification.ts'

export type JobRecord = NonNullable<AnswerOf<typeof queryApiJob>['inventories']>[number]

export const maxEnded = 100

/** A change may be committed after one with a later time. */
const marginMs = 60_000

/** The page of a rollout shows the jobs that it starts on its hosts, which may be thousands. */
const startedByUser = `operation!?=${rolloutJobs.join(',')}`

/** The jobs that a user started and that have ended since a time, the newest first. */
export const endedJobs = (userUuid: string, since: string) => ({
  q: [`userUuid=${userUuid}`, startedByUser, `state?=${endStates.join(',')}`, `lastOpDate>=${since}`],
  sort: '-lastOpDate',
  limit: maxEnded,
  fields: ['uuid,operation,subjectUuid,subjectName,subjectVersion,targetName,state,errorCode,endDate,lastOpDate'],
})

export const newlyEnded = (jobs: readonly JobRecord[], handled: ReadonlySet<string>): JobRecord[] =>
  jobs.filter(({ uuid = '', state }) => !handled.has(uuid) && endStates.includes(state as EndState))

/** From when on the next query starts: never earlier than this one, in ISO 8601. */
export function nextSince(
  records: readonly { readonly lastOpDate?: string }[],
  since: string,
  toDate: (time: string) => Date,
): string {
  const times = records.flatMap(({ lastOpDate }) => (lastOpDate ? [toDate(lastOpDate).getTime()] : []))
  const newest = times.reduce((one, other) => Math.max(one, other), 0)
  return new Date(Math.max(new Date(since).getTime(), newest - marginMs)).toISOString()
}

export function notificationOf(
  job: JobRecord,
  toDate: (time: string) => Date,
  reason: string | undefined,
): JobNotification {
  const { uuid = '', operation, subjectUuid = null, subjectName, subjectVersion, targetName, state } = job
  const time = job.endDate ?? job.lastOpDate
  return {
    jobUuid: uuid,
    subjectUuid,
    operation,
    subjectName,
    subjectVersion,
    targetName,
    state: state as EndState,
    at: time ? toDate(time).getTime() : 0,
    ...(reason ? { reason } : {}),
    isRead: false,
  }
}
