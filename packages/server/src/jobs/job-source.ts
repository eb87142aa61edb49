import type { AuditChanges } from '@wharf/contract'
import { type AuditSource, currentSource, noOrigin, type StoredSource, storedSource } from '../audit/audit-source.ts'
import { mergeChanges } from '../audit/record-changes.ts'
import type { JobRow } from './job-row.ts'
import type { JobRequest } from './new-job-row.ts'
import type { JobStore } from './store.ts'

/** What the steps of a job have changed of its subject so far. */
interface SubjectChanges {
  readonly resourceType: string | null
  readonly changes: AuditChanges
}

/** The source of what a job does. */
export interface JobSource extends AuditSource {
  /** False for the first owner as long as its steps have changed nothing of the subject: there is nothing to read before the end. */
  hasSubjectChanges: boolean
}

/**
 * Of a job that is enqueued now: the entries of its acceptance and its end, and of what it changes, have the same source. A
 * job that Wharf starts names the user that it belongs to.
 */
export function newJobSource({ caller }: JobRequest): StoredSource {
  const source = storedSource(currentSource())
  if (source.actor.userUuid !== null) return source
  const { accountUuid, userUuid, userName } = caller
  return { ...source, actor: { ...source.actor, accountUuid, userUuid, actorName: userName || null } }
}

/** The same whichever node runs the job. */
export function jobSource(row: JobRow, store: JobStore): JobSource {
  const { uuid: jobUuid, operation, subjectUuid, createDate: startDate } = row
  const source: JobSource = {
    ...(row.auditSource === null ? sourceOfOlderVersion(row) : (JSON.parse(row.auditSource) as StoredSource)),
    operation,
    startDate,
    isRecorded: false,
    isAccepted: false,
    hasSubjectChanges: row.fence > 1,
    job: {
      jobUuid,
      subjectUuid,
      addSubjectChanges: async (tx, resourceType, changes) => {
        // also when the transaction fails: its commit may be in doubt
        source.hasSubjectChanges = true
        await store.lock(tx, [jobUuid])
        const earlier = parseSubjectChanges((await store.subjectChanges(tx, [jobUuid])).get(jobUuid) ?? null)
        const merged: SubjectChanges = { resourceType, changes: mergeChanges(earlier.changes, changes) }
        await store.storeSubjectChanges(tx, jobUuid, JSON.stringify(merged))
      },
    },
  }
  return source
}

/** Of the column `auditChanges`. */
export const parseSubjectChanges = (text: string | null): SubjectChanges =>
  text === null ? { resourceType: null, changes: {} } : (JSON.parse(text) as SubjectChanges)

const sourceOfOlderVersion = ({ accountUuid, userUuid, userName: actorName }: JobRow): StoredSource => ({
  ...noOrigin,
  actor: { actorKind: 'System', accountUuid, userUuid, actorName, role: null, credentialUuid: null },
})
