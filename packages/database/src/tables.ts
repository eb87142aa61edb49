import type { Permission, StoredRow, SystemEventName } from '@wharf/contract'
import type { Generated } from 'kysely'

type Contract = typeof import('@wharf/contract')

/** The tables of the records that the contract declares with one. */
type StoredRecords = {
  [K in keyof Contract as Contract[K] extends { readonly table: infer T extends string } ? T : never]: StoredRow<
    Contract[K]
  >
}

/** What an event can be about. */
export type ResourceType = {
  [K in keyof Contract]: Contract[K] extends { readonly events: readonly (infer E)[]; readonly schema: object }
    ? E
    : never
}[keyof Contract]

/** Every table, columns as the API names them. Times are milliseconds, flags 0 or 1, sealed columns bytes. */
export interface Tables extends Omit<StoredRecords, 'auditEntries' | 'users'> {
  /** One authenticator app for each user, under the uuid of the user. */
  authenticators: {
    uuid: string
    sealedSecret: Uint8Array
    /** The step of the last code that was used; no earlier one is accepted. */
    lastStep: number
    /** Null until its first code was entered: it has no effect before. */
    confirmedDate: number | null
    createDate: number
  }
  /** Unused ones, as SHA-256. */
  recoveryCodes: { userUuid: string; hash: string }
  passkeys: {
    uuid: string
    userUuid: string
    name: string
    /** Of the authenticator, in base64url. */
    credentialId: string
    /** COSE. */
    publicKey: Uint8Array
    counter: number
    /** JSON */
    transports: string
    createDate: number
    lastUsedDate: number | null
  }
  /** Challenges that a browser has not answered yet, as SHA-256. */
  passkeyChallenges: { hash: string; userUuid: string; purpose: 'create' | 'prove'; expiresDate: number }
  /** The database assigns `id`. */
  auditEntries: Omit<StoredRecords['auditEntries'], 'id'> & { id: Generated<number> }
  users: Omit<
    StoredRecords['users'],
    'hasBootstrapPassword' | 'hasSecondFactor' | 'source' | 'isLocalLoginRestored'
  > & {
    hasBootstrapPassword: Generated<number>
    hasSecondFactor: Generated<number>
    source: Generated<StoredRecords['users']['source']>
    isLocalLoginRestored: Generated<number>
  }
  /** One row, whose slot is always 1: the first entry that is kept, the last chained one, and the node that chains them until its lease ends. */
  auditChain: {
    slot: number
    firstSeq: number
    lastSeq: number
    lastHash: string
    owner: string | null
    leaseUntil: number
  }
  /** Entries from their commit until they are chained, as JSON. */
  pendingAuditEntries: { id: Generated<number>; entry: string }
  settings: { name: string; value: string }
  /** The labels of hosts one by one. No column has the name of one of the hosts, so that both can be in one statement. */
  hostLabels: {
    hostUuid: string
    label: string
    labelValue: string
    /** Of the host, which never changes: the index of a label is in the default order of hosts. */
    hostCreateDate: number
  }
  /** The addresses of the other machines of a cluster, in lower case. */
  clusterNodes: { clusterUuid: string; address: string }
  /** One measurement of a host per interval; unknown values are null. */
  hostSamples: {
    hostUuid: string
    /** The start of the interval. */
    time: number
    /** In hundredths. */
    load1: number | null
    processors: number | null
    memoryUsedBytes: number | null
    memoryTotalBytes: number | null
    diskUsedBytes: number
    diskTotalBytes: number
    /** Of the file system of the packages folder. */
    packagesDiskUsedBytes: number | null
    packagesDiskTotalBytes: number | null
  }
  /** The last silence of each alert, by its identity; it may have ended. */
  alertSilences: {
    platformUuid: string
    fingerprint: string
    silencedBy: string
    silencedDate: number
    silencedUntil: number
    silenceComment: string
  }
  /** The last message about a state to each endpoint, so that a state that changes constantly is not always reported. */
  ownEventMessages: {
    endpointUuid: string
    /** What the state is of: the connection of a host, the health of a package. */
    topic: string
    resourceUuid: string
    sentEvent: SystemEventName
    sentDate: number
    /** JSON: the later event that is reported at the end of the interval; null while the message is current. */
    heldEvent: string | null
  }
  /** The nonces of signed calls that changed something, while their signatures are valid. */
  usedNonces: {
    AccessKeyID: string
    nonce: string
    /** Of the call that used it, which may do so in several transactions. */
    requestId: string
    expiresDate: number
  }
  /** Sign-ins with an identity provider that have started, until the browser returns. */
  oidcSignIns: {
    /** SHA-256 of the state. */
    stateHash: string
    /** SHA-256 of the cookie of the browser that started it. */
    browserHash: string
    provider: string
    redirectUri: string
    /** The nonce and the PKCE verifier, in JSON. */
    sealedChecks: Uint8Array
    /** The network of the client: each has a limit. */
    network: string
    expiredDate: number
  }
  /** What a session that an identity provider granted needs in addition; removed with its session. */
  oidcSessions: {
    sessionHash: string
    provider: string
    issuer: string
    subject: string
    /** The session at the provider. */
    sid: string | null
    sealedRefreshToken: Uint8Array | null
    /** Null without a refresh token. A node that refreshes it moves this date first, so that no other one does. */
    nextRefreshDate: number | null
    failedRefreshes: number
  }
  /** Logout tokens that were accepted, while they could be replayed. */
  oidcLogoutTokens: { issuer: string; jti: string; expiredDate: number }
  /** Hosts that a management node sees on its networks; valid while the node is alive. */
  candidateSightings: {
    managementNodeUuid: string
    identity: string
    /** JSON */
    candidate: string
  }
  /** The single package of type Migrate: its slot is always 1. */
  migratePackages: { slot: number; packageUuid: string; lastOpDate: number }
  /** Copies of images on hosts, so that they can be removed. */
  migrateImageCopies: {
    imageUuid: string
    hostUuid: string
    path: string
    createDate: number
  }
  uploads: {
    id: string
    packageUuid: string
    /** The node whose disk contains the bytes. */
    managementNodeUuid: string
    accountUuid: string
    userUuid: string
    /** The permission that every slice requires; null in rows of version 1.0, which means `operate`. */
    permission: Permission | null
    /** JSON: the scope of the caller who opened it; the user's own scope applies too. */
    scope: Generated<string>
    /** JSON: the call that opened it, for the entries of the job that follows; null in rows of older versions. */
    auditSource: string | null
    fileName: string
    /** Null until the client has sent it. */
    size: number | null
    /** Of the whole file: as announced by the client, and once finished, as computed. */
    md5: string | null
    /** Of the whole file, as announced by the client. */
    sha256: string | null
    resumeKey: string | null
    state: 'Open' | 'Finished' | 'Ended'
    /** The offset after the last verified slice; bytes after it do not count yet. */
    uncheckedFrom: number | null
    expiryDate: number
    createDate: number
    lastOpDate: number
  }
  jobLogs: {
    jobUuid: string
    sequence: number
    at: number
    line: string
    /** Marks the lines of the runner itself: the start of a step or of an undo, and failures. */
    kind: string | null
  }
  idempotencyKeys: {
    key: string
    accountUuid: string
    /** Null in rows of version 1.0. */
    userUuid: string | null
    /** SHA-256 of method, path, query and body. */
    fingerprint: string
    jobUuid: string | null
    sealedAnswer: Uint8Array | null
    createDate: number
  }
  events: {
    sequence: Generated<number>
    type: string
    resourceType: ResourceType
    uuid: string
    at: number
    /** null: everyone; a user's uuid: that user and admins; `internal`: no client. */
    audience: string | null
    /** JSON, of a deleted record: the labels of the hosts that it belonged to; null: unknown. */
    hostLabels: string | null
  }
}
