import { type AuditChanges, type AuditOutcome, type ErrorCode, errorCatalogue } from '@wharf/contract'
import { afterCommit, beforeCommit, type Database, type Tx } from '@wharf/database/database.ts'
import type { ResourceType } from '@wharf/database/tables.ts'
import { TransactionValue } from '@wharf/database/transaction-value.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newOrderedUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { type AuditActor, type AuditSource, currentSource } from './audit-source.ts'
import { EntryStore, type NewEntry } from './entry-store.ts'
import { RecordingState } from './not-recorded.ts'
import { PendingStore } from './pending-store.ts'
import { changesText, type Image, mergeChanges, RecordChanges } from './record-changes.ts'
import { nameOf, readResourceName } from './resource-names.ts'

/** A record that a transaction changes. */
interface RecordChange {
  readonly resourceType: ResourceType
  readonly uuid: string
  /** Null: it is created. */
  readonly before: Image | null
  /** Null: it is deleted. */
  readonly after: Image | null
}

/** A job that a transaction enqueues. */
interface AcceptedJob {
  readonly jobUuid: string
  readonly operation: string
  readonly actor: AuditActor
  readonly subject: Subject | null
}

/** What a job works on. */
interface Subject {
  readonly uuid: string
  readonly name: string | null
  readonly resourceType: string | null
}

/** The end of a job; its source is the one that runs. */
interface EndedJob {
  readonly jobUuid: string
  readonly startDate: number
  readonly subject: Subject | null
  /** What its earlier transactions have changed of the subject. */
  readonly earlierChanges: AuditChanges
  /** Of a job that failed or was cancelled. */
  readonly errorCode: ErrorCode | null
}

/** By uuid: an account and its built-in user share theirs, and so their entry. */
type ChangedRecords = Map<string, RecordChange[]>

interface Collected {
  readonly records: ChangedRecords
  readonly jobs: AcceptedJob[]
  readonly removals: { readonly resourceType: string; readonly count: number }[]
  end?: EndedJob
}

interface AuditTrailDeps {
  readonly database: Database
  readonly clock: Clock
  readonly sealing: Sealing
  readonly nodeUuid: string
}

const acceptedStatus = 202
const doneStatus = 200

/**
 * Writes the entries of changes. Whatever a transaction changes is collected where its events are recorded, and written as
 * its last statement: the change and its entry are committed together, or neither is.
 */
export class AuditTrail {
  readonly state = new RecordingState()
  readonly #deps: AuditTrailDeps
  readonly #entries: EntryStore
  readonly #pending: PendingStore
  readonly #changes: RecordChanges
  readonly #collected = new TransactionValue<Collected>()

  constructor(deps: AuditTrailDeps) {
    this.#deps = deps
    this.#entries = new EntryStore(deps.database)
    this.#pending = new PendingStore(deps.database, (write) => this.state.write('pendingAuditEntries', write))
    this.#changes = new RecordChanges(deps.sealing)
  }

  /** Several changes of a record in one transaction are one. */
  collect(tx: Tx, change: RecordChange): void {
    const { records } = this.#of(tx)
    const parts = records.get(change.uuid)
    if (parts === undefined) return void records.set(change.uuid, [change])
    const at = parts.findIndex(({ resourceType }) => resourceType === change.resourceType)
    const earlier = parts[at]
    if (earlier === undefined) parts.push(change)
    else parts[at] = { ...change, before: earlier.before, after: change.after && { ...earlier.after, ...change.after } }
  }

  collectJob(tx: Tx, job: AcceptedJob): void {
    this.#of(tx).jobs.push(job)
  }

  collectEnd(tx: Tx, end: EndedJob): void {
    this.#of(tx).end = end
  }

  /** Records that are removed because of their age: one entry counts them. */
  collectRemoval(tx: Tx, resourceType: string, count: number): void {
    if (count > 0) this.#of(tx).removals.push({ resourceType, count })
  }

  /** For the check whether entries can be written; the caller rolls it back. */
  async tryToWrite(tx: Tx): Promise<void> {
    const entry = this.#entry(currentSource(), {})
    await this.state.write('pendingAuditEntries', () => this.#pending.insert(tx, entry))
    await this.state.write('auditEntries', () => this.#entries.insertOpen(tx, entry))
  }

  #of(tx: Tx): Collected {
    const known = this.#collected.get(tx)
    if (known !== undefined) return known
    const collected: Collected = { records: new Map(), jobs: [], removals: [] }
    this.#collected.set(tx, collected)
    beforeCommit(tx, () => this.#write(tx, collected))
    return collected
  }

  async #write(tx: Tx, collected: Collected): Promise<void> {
    const source = currentSource()
    const entries = await this.#entriesOf(tx, source, collected)
    if (entries.length === 0) return
    this.#pending.append(tx, entries)
    afterCommit(tx, () => {
      source.isRecorded = true
      if (collected.jobs.length > 0) source.isAccepted = true
    })
  }

  async #entriesOf(tx: Tx, source: AuditSource, { records, jobs, removals, end }: Collected): Promise<NewEntry[]> {
    const entries: NewEntry[] = []
    const ofJobs = new Set(jobs.map(({ subject }) => subject?.uuid))
    for (const [uuid, parts] of records) {
      if (uuid === end?.subject?.uuid || ofJobs.has(uuid)) continue
      const changes = this.#changesOf(parts)
      if (Object.keys(changes).length === 0) continue
      const resource = await resourceOf(tx, parts)
      if (source.job !== undefined && end === undefined && uuid === source.job.subjectUuid)
        await source.job.addSubjectChanges(tx, resource.resourceType, changes)
      else entries.push(this.#entry(source, { ...resource, changes: changesText(changes) }))
    }
    for (const job of jobs) entries.push(this.#acceptance(source, job, records))
    for (const { resourceType, count } of removals) entries.push(this.#entry(source, { resourceType, count }))
    if (end !== undefined) entries.push(this.#end(source, end, records))
    const [first] = records.values()
    // a call that writes what a record already has is recorded too
    if (entries.length === 0 && first !== undefined && source.requestId !== null && source.job === undefined)
      entries.push(this.#entry(source, await resourceOf(tx, first)))
    return entries
  }

  #acceptance(source: AuditSource, { jobUuid, operation, actor, subject }: AcceptedJob, records: ChangedRecords) {
    const ofOwner = { ...source, actor }
    return this.#entry(ofOwner, {
      ...this.#ofSubject(subject, records, {}),
      // an automatic action starts several operations
      ...(source.actor.actorKind === 'System' ? { operation } : {}),
      jobUuid,
      status: acceptedStatus,
    })
  }

  #end(source: AuditSource, end: EndedJob, records: ChangedRecords): NewEntry {
    const { jobUuid, startDate, subject, earlierChanges, errorCode } = end
    return this.#entry(source, {
      ...this.#ofSubject(subject, records, earlierChanges),
      jobUuid,
      startDate,
      ...(errorCode === null
        ? {}
        : { outcome: 'Failure' as const, errorCode, status: errorCatalogue[errorCode].status }),
    })
  }

  #ofSubject(subject: Subject | null, records: ChangedRecords, earlierChanges: AuditChanges): EntryDetails {
    if (subject === null) return {}
    const parts = records.get(subject.uuid) ?? []
    const own = this.#changesOf(parts)
    return {
      resourceType: parts.at(-1)?.resourceType ?? subject.resourceType,
      resourceUuid: subject.uuid,
      resourceName: subject.name,
      changes: changesText(mergeChanges(earlierChanges, own)),
    }
  }

  #changesOf(parts: readonly RecordChange[]): AuditChanges {
    const [only] = parts
    if (only !== undefined && parts.length === 1)
      return this.#changes.between(only.resourceType, only.before, only.after)
    const changes = parts.map(({ resourceType, before, after }) => this.#changes.between(resourceType, before, after))
    return Object.assign(changes.pop() ?? {}, ...changes.toReversed())
  }

  #entry(source: AuditSource, more: EntryDetails): NewEntry {
    return newEntry(source, { managementNodeUuid: this.#deps.nodeUuid, endDate: this.#deps.clock.now(), ...more })
  }
}

/** The account rather than its user, which is written first. */
async function resourceOf(tx: Tx, parts: readonly RecordChange[]) {
  const { resourceType, uuid, before, after } = parts.at(-1) as RecordChange
  // the images of attached tags are without the name of their record
  const resourceName = nameOf(after ?? before ?? {}) ?? (await readResourceName(tx, resourceType, uuid))
  return { resourceType, resourceUuid: uuid, resourceName }
}

type Written = Pick<NewEntry, 'managementNodeUuid' | 'endDate'>

/** What an entry has besides its source. */
type EntryDetails = Partial<
  Pick<
    NewEntry,
    | 'startDate'
    | 'operation'
    | 'resourceType'
    | 'resourceUuid'
    | 'resourceName'
    | 'changes'
    | 'outcome'
    | 'status'
    | 'errorCode'
    | 'jobUuid'
    | 'count'
    | 'openUntil'
  >
>

/** An entry of a source, successful unless `more` has another outcome. One literal: spreading `more` would take longer than the rest. */
export function newEntry(source: AuditSource, more: Written & EntryDetails): NewEntry {
  const { actor, method } = source
  return {
    uuid: newOrderedUuid(more.endDate),
    startDate: more.startDate ?? Math.min(source.startDate, more.endDate),
    endDate: more.endDate,
    requestId: source.requestId,
    managementNodeUuid: more.managementNodeUuid,
    operation: more.operation ?? source.operation,
    method,
    path: source.path,
    actorKind: actor.actorKind,
    accountUuid: actor.accountUuid,
    userUuid: actor.userUuid,
    actorName: actor.actorName,
    role: actor.role,
    credentialUuid: actor.credentialUuid,
    sourceIp: source.sourceIp,
    userAgent: source.userAgent,
    resourceType: more.resourceType ?? null,
    resourceUuid: more.resourceUuid ?? null,
    resourceName: more.resourceName ?? null,
    changes: more.changes ?? '{}',
    outcome: more.outcome ?? ('Success' satisfies AuditOutcome),
    status: more.status ?? (method === null ? null : doneStatus),
    errorCode: more.errorCode ?? null,
    jobUuid: more.jobUuid ?? source.job?.jobUuid ?? null,
    count: more.count ?? 1,
    openUntil: more.openUntil ?? null,
  }
}
