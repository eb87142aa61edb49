import { roles } from './accounts.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Integer, Long, Name, optional, orNull, Text, Timestamp, Uuid } from './schema.ts'
import { timeText } from './shared-fields.ts'
import { Type } from './type.ts'

const since = 'wharf-1.1.0'
const resource = 'audit-entries'

/** Session and AccessKey: how the caller signed in. System: Wharf acted automatically. Anonymous: the caller is unknown. */
export const actorKinds = ['Session', 'AccessKey', 'System', 'Anonymous'] as const
export type ActorKind = (typeof actorKinds)[number]

/** Denied: the status was 401 or 403. Failure: any other error; nothing was changed. */
export const auditOutcomes = ['Success', 'Failure', 'Denied'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** What Wharf does automatically: the operations of entries whose actor is System and that no job wrote. */
export const systemActions = [
  'Automatic',
  'Bootstrap',
  'CoordinateRollouts',
  'ExpireUploads',
  'JoinNode',
  'ProbeBackupStorage',
  'ProbeHosts',
  'ReceiveUpload',
  'RefreshOidcSession',
  'ResetPassword',
  'Retention',
  'TakeOver',
  'VerifyPackages',
] as const
export type SystemAction = (typeof systemActions)[number]

/** A field of the record before and after; null where the record did not exist or the field was empty. */
export interface AuditChange {
  readonly before: unknown
  readonly after: unknown
}
export type AuditChanges = Readonly<Record<string, AuditChange>>

export const AuditEntryInventory = inventory({
  name: 'AuditEntryInventory',
  since,
  events: [],
  table: 'auditEntries',
  scope: { likeAny: 'resourceUuid', type: 'resourceType', otherwise: 'user' },
  order: 'endDate',
  fields: {
    uuid: Uuid(),
    seq: orNull(
      Long({ description: 'The position in the chain, from 1 without gaps; null until the entry is chained' }),
    ),
    startDate: Timestamp({ description: 'When the call started; of equal refused calls, when the first one did' }),
    endDate: Timestamp({ description: 'When the entry was written; of equal refused calls, when the last one ended' }),
    requestId: orNull(Text(64, { description: 'The X-Request-Id of the call; null without a call' })),
    managementNodeUuid: Uuid({ description: 'The node that wrote the entry' }),
    operation: Name({ description: 'The operation of the API, such as AddHost, or the automatic action of Wharf' }),
    method: orNull(Text(16, { description: 'The HTTP method; null without a call' })),
    path: orNull(Text(2048, { description: 'The path without its query; null without a call' })),
    actorKind: Choice(actorKinds, {
      description:
        'Session and AccessKey: how the caller signed in; System: Wharf acted automatically; Anonymous: the caller is unknown',
    }),
    accountUuid: orNull(Uuid({ description: 'The account of the user' })),
    userUuid: orNull(Uuid({ description: 'The user who called, or for whom Wharf acted' })),
    actorName: orNull(
      Name({ description: 'The name of the user at that time; of a failed sign-in, the name that was sent' }),
    ),
    role: orNull(Choice(roles, { description: 'The role of the user at that time' })),
    credentialUuid: orNull(
      Uuid({ description: 'The access key, or an identifier of the session that does not reveal the session id' }),
    ),
    sourceIp: orNull(Text(64, { description: 'The address of the caller' })),
    userAgent: orNull(Text(256, { description: 'The User-Agent header of the call' })),
    resourceType: orNull(Name({ description: 'The type of the record, such as Host' })),
    resourceUuid: orNull(Uuid({ description: 'The record that was changed, or would have been' })),
    resourceName: orNull(Name({ description: 'Its name at that time' })),
    changes: Type.Unsafe<AuditChanges>({
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          before: { description: 'The value before; null when there was none' },
          after: { description: 'The value after; null when there is none' },
        },
        required: ['before', 'after'],
        additionalProperties: false,
      },
      description:
        'Each changed field with its values before and after. A secret is a keyed hash, by which equal values can be recognized; of a long value the part around the first difference is shown',
    }),
    outcome: Choice(auditOutcomes, {
      description: 'Denied: the status was 401 or 403; Failure: any other error; neither changed anything',
    }),
    status: orNull(
      Integer(100, 599, {
        description: 'The HTTP status of the result: 202 for a job that is accepted; null for a success without a call',
      }),
    ),
    errorCode: orNull(Name({ description: 'The code of the error; null when it succeeded' })),
    jobUuid: orNull(Uuid({ description: 'The job that was accepted, that ended, or that changed this record' })),
    count: Long({
      description:
        'How many equal refused calls within ten seconds the entry counts; otherwise 1. Further names and records of one source share an entry that has neither',
    }),
    hash: orNull(
      Text(64, {
        description: 'SHA-256 of the hash of the previous entry and all other fields; null until the entry is chained',
      }),
    ),
  },
  private: {
    /** Assigned when the entry is written, just before its transaction commits. */
    id: Long(),
    /** Equal refused calls are still added to the entry until then; null when nothing can be added. */
    openUntil: orNull(Timestamp()),
  },
})

export const { query: queryAuditEntry, get: getAuditEntry } = queryOperations({
  resource,
  noun: 'AuditEntry',
  client: 'auditEntries',
  plural: 'audit entries',
  path: '/v1/audit-entries',
  inventory: AuditEntryInventory,
  permission: 'administer',
})

export const auditExportFormats = ['ndjson', 'csv', 'ocsf'] as const
export type AuditExportFormat = (typeof auditExportFormats)[number]

export const exportAuditEntries = operation({
  name: 'ExportAuditEntries',
  client: null,
  resource,
  method: 'GET',
  path: '/v1/audit-entries/export',
  summary: 'Stream the chained audit entries of a period in the order of the chain, without gaps',
  since,
  permission: 'administer',
  isForAllHosts: true,
  mode: 'stream',
  fields: {
    from: optional(timeText('The start of the period; defaults to the oldest entry')),
    to: optional(timeText('Entries from this time on are omitted; without it the export ends with the newest entry')),
    format: optional(
      Choice(auditExportFormats, {
        description:
          'ndjson (the default): one entry per line, which can be verified offline; csv; ocsf: events of the class API Activity of OCSF 1.6, one per line',
      }),
    ),
  },
  answer: {},
})

export const AuditDigestInventory = inventory({
  name: 'AuditDigestInventory',
  since,
  events: [],
  table: 'auditDigests',
  scope: 'nobody',
  fields: {
    uuid: Uuid(),
    firstSeq: Long({ description: 'The first entry that it covers' }),
    lastSeq: Long({ description: 'The last entry that it covers' }),
    count: Long({ description: 'How many entries it covers' }),
    head: Text(64, { description: 'The hash of the last entry that it covers' }),
    previousSignature: orNull(Text(128, { description: 'The signature of the previous digest; null for the first' })),
    document: Text(2048, {
      description:
        'The text that is signed: canonical JSON of these fields without uuid, and of expiredSeq: the entries up to this one have expired',
    }),
    signature: Text(128, { description: 'The Ed25519 signature of the document, in Base64' }),
    createDate: Timestamp(),
  },
})

export const { query: queryAuditDigest, get: getAuditDigest } = queryOperations({
  resource,
  noun: 'AuditDigest',
  client: 'auditDigests',
  plural: 'audit digests',
  path: '/v1/audit-digests',
  inventory: AuditDigestInventory,
  permission: 'administer',
})

export const getAuditPublicKey = operation({
  name: 'GetAuditPublicKey',
  client: 'auditDigests.publicKey',
  resource,
  method: 'GET',
  path: '/v1/audit-digests/public-key',
  summary: 'Get the public key that verifies the signatures of audit digests',
  since,
  permission: 'administer',
  fields: {},
  answer: { publicKey: Text(1024, { description: 'Ed25519, in PEM' }) },
})
