import { AsyncLocalStorage } from 'node:async_hooks'
import type { ActorKind, AuditChanges, Role, SystemAction } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { flatSlice } from '@wharf/platform/flat-slice.ts'

/** Who acts. */
export interface AuditActor {
  readonly actorKind: ActorKind
  readonly accountUuid: string | null
  readonly userUuid: string | null
  readonly actorName: string | null
  readonly role: Role | null
  readonly credentialUuid: string | null
}

/** Of a call, kept with the job that it starts. */
export interface AuditOrigin {
  readonly requestId: string | null
  readonly method: string | null
  /** Without the query. */
  readonly path: string | null
  readonly sourceIp: string | null
  readonly userAgent: string | null
}

/** Who acts and from where, as a row keeps it for what Wharf does later on behalf of a call. */
export interface StoredSource extends AuditOrigin {
  readonly actor: AuditActor
}

/** What the steps of a job change of its subject becomes part of the entry of its end. */
interface JobSubject {
  readonly jobUuid: string
  readonly subjectUuid: string | null
  addSubjectChanges(tx: Tx, resourceType: string, changes: AuditChanges): Promise<void>
}

/** Where changes come from: a call, a job or Wharf itself. */
export interface AuditSource extends AuditOrigin {
  readonly operation: string
  readonly startDate: number
  /** A sign-in identifies its user while it runs. */
  actor: AuditActor
  readonly job?: JobSubject
  /** An entry of this call is committed. */
  isRecorded: boolean
  /** A job continues it, whose end has an entry of its own. */
  isAccepted: boolean
}

export const noOrigin: AuditOrigin = { requestId: null, method: null, path: null, sourceIp: null, userAgent: null }

const nobody = { accountUuid: null, userUuid: null, actorName: null, role: null, credentialUuid: null }
export const anonymousActor: AuditActor = { actorKind: 'Anonymous', ...nobody }
const systemActor: AuditActor = { actorKind: 'System', ...nobody }

const sources = new AsyncLocalStorage<AuditSource>()

/**
 * Runs work whose changes come from this source. It is passed implicitly, as the ownership of a job is: no service in
 * between should have to pass it on, or could forget to.
 */
export const withSource = <T>(source: AuditSource, work: () => T): T => sources.run(source, work)

/** Runs an automatic action of Wharf; whatever started it, a user did not. */
export const asSystem = <T>(operation: SystemAction, work: () => T): T => sources.run(systemSource(operation), work)

const systemSource = (operation: SystemAction): AuditSource => ({
  ...noOrigin,
  operation,
  startDate: Date.now(),
  actor: systemActor,
  isRecorded: false,
  isAccepted: false,
})

/** Work that no source was named for is automatic. */
export const currentSource = (): AuditSource => sources.getStore() ?? systemSource('Automatic')

/** The part of a source that outlives its call. */
export const storedSource = (source: AuditSource): StoredSource => {
  const { requestId, method, path, sourceIp, userAgent, actor } = source
  return { requestId, method, path, sourceIp, userAgent, actor }
}

/** A sign-in: its entry names the user, or the name that was sent. */
export function identifyCaller(actor: AuditActor): void {
  currentSource().actor = actor
}

/** Of sessions: an identifier that is not the session id, and does not reveal it. */
export const sessionUuid = (hash: string): string => flatSlice(hash, 0, 32)

/** For listeners of events: what they do is not done by the caller that caused the event. */
export const withoutSource = <T>(work: () => T): T => sources.exit(work)
