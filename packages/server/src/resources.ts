import { AlertTexts } from './alerts/alert-texts.ts'
import { AlertIngestion } from './alerts/ingestion.ts'
import { alertOperations } from './alerts/operations.ts'
import { AlertPlatformService } from './alerts/service.ts'
import { Templates } from './alerts/templates.ts'
import { backupStorageOperations } from './backup-storage/operations.ts'
import { BackupStorageService } from './backup-storage/service.ts'
import { candidateHostOperations } from './candidate-hosts/operations.ts'
import { CandidateHostService } from './candidate-hosts/service.ts'
import { chatParts } from './chat-endpoints/chat-parts.ts'
import type { DeliveryLimits } from './chat-endpoints/delivery-limits.ts'
import { chatEndpointOperations } from './chat-endpoints/operations.ts'
import { clusterPluginOperations } from './cluster-plugins/operations.ts'
import { ClusterPluginService } from './cluster-plugins/service.ts'
import { ClusterStarting } from './cluster-plugins/starting.ts'
import type { Settings } from './config.ts'
import type { Database } from './database/database.ts'
import type { DatabaseClock } from './database/database-clock.ts'
import { elaborationOperations } from './elaborations/operations.ts'
import { ElaborationService } from './elaborations/service.ts'
import type { Events } from './events/events.ts'
import { eventOperations } from './events/operations.ts'
import { hostOperations } from './hosts/operations.ts'
import { HostService } from './hosts/service.ts'
import type { Binding } from './http/bind.ts'
import type { OpenStreams } from './http/open-streams.ts'
import type { Queries } from './http/query-bindings.ts'
import { accessKeyOperations } from './identity/access-keys/operations.ts'
import { AccessKeyService } from './identity/access-keys/service.ts'
import { accountOperations } from './identity/accounts/operations.ts'
import { AccountService } from './identity/accounts/service.ts'
import { Attempts } from './identity/attempts.ts'
import { makeAuthenticate } from './identity/authenticate.ts'
import { Credentials } from './identity/credentials.ts'
import { makePasswords, type ScryptCost } from './identity/passwords.ts'
import { sessionOperations } from './identity/sessions/operations.ts'
import { SessionService } from './identity/sessions/service.ts'
import { jobOperations } from './jobs/operations.ts'
import type { JobService } from './jobs/service.ts'
import { managementNodeOperations } from './management-nodes/operations.ts'
import { MigratePackages } from './migration/migrate-packages.ts'
import { migrationOperations } from './migration/operations.ts'
import { MigrationService } from './migration/service.ts'
import { MigrationStarting } from './migration/starting.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { OwnAddress } from './platform/own-address.ts'
import type { Sealing } from './platform/sealing.ts'
import { softwarePackageOperations } from './software-packages/operations.ts'
import { SoftwarePackageService } from './software-packages/service.ts'
import { PackageStarting } from './software-packages/starting.ts'
import { UploadStarting } from './software-packages/upload-starting.ts'
import { showUploadUrls } from './software-packages/upload-url-tags.ts'
import { ZipSpool } from './software-packages/zip-spool.ts'
import { tagOperations } from './tags/operations.ts'
import { TagService } from './tags/service.ts'
import { UploadService } from './uploads/service.ts'

/** What every resource may build on. */
export interface Foundation {
  readonly settings: Settings
  readonly database: Database
  readonly events: Events
  readonly jobs: JobService
  readonly streams: OpenStreams
  readonly sealing: Sealing
  /** What the times of records are compared with, and what new ones bear. */
  readonly clock: Clock
  readonly databaseClock: DatabaseClock
  readonly log: Log
  readonly formatTimestamp: (ms: number) => string
  readonly nodeUuid: string
  readonly ownAddress: OwnAddress
}

export type Resources = ReturnType<typeof buildResources>

/** Every resource, in the order of what needs what. A new one gets its lines here. */
export function buildResources(
  foundation: Foundation,
  { passwordCost, deliveryLimits }: { passwordCost?: ScryptCost; deliveryLimits?: Partial<DeliveryLimits> } = {},
) {
  const { settings, database } = foundation
  const queries: Queries = { database, timezone: settings.timezone, emptyNotFound: settings.emptyNotFound }

  const credentials = new Credentials(foundation)
  const attempts = new Attempts(foundation.clock)
  const passwords = makePasswords(passwordCost)
  const authenticate = makeAuthenticate({ ...foundation, ...settings, credentials, attempts })
  const sessions = new SessionService({ ...foundation, credentials, attempts, passwords })
  const accounts = new AccountService({ ...foundation, sessions, passwords, attempts })
  const keys = new AccessKeyService(foundation)
  const tags = new TagService(foundation)
  const hosts = new HostService(foundation)
  const backupStorage = new BackupStorageService(foundation)
  const uploads = new UploadService(foundation)
  accounts.onUserDeleted((tx, userUuid) => uploads.endOfUser(tx, userUuid))
  const packages = new SoftwarePackageService({ ...foundation, tags, uploads, hosts })
  const zips = new ZipSpool(foundation)
  const uploading = new UploadStarting({ ...foundation, packages, hosts, backupStorage, uploads, tags })
  const starting = new PackageStarting({ ...foundation, packages, hosts, backupStorage, uploads, tags })
  const migration = new MigrationService({ ...foundation, hosts, backupStorage, tags })
  packages.addKind(new MigratePackages({ ...foundation, migration, packages, hosts, backupStorage }))
  const machines = new MigrationStarting({ ...foundation, migration, packages, hosts, backupStorage, tags })
  const platforms = new AlertPlatformService(foundation)
  const chat = chatParts({ ...foundation, platforms }, deliveryLimits)
  const templates = new Templates()
  const texts = new AlertTexts({ ...foundation, templates })
  const ingestion = new AlertIngestion({ ...foundation, attempts, platforms, texts, deliveries: chat.deliveries })
  const plugins = new ClusterPluginService({ ...foundation, tags, platforms })
  const clusterStarting = new ClusterStarting({ ...foundation, plugins, packages, platforms, hosts, tags })
  const candidateHosts = new CandidateHostService({ ...foundation, hosts })
  const elaborations = new ElaborationService(foundation)

  const bindings: Binding[] = [
    ...sessionOperations(sessions),
    ...accountOperations({ queries, accounts, passwords }),
    ...accessKeyOperations({ queries, keys }),
    ...jobOperations({ ...foundation, credentials }),
    ...eventOperations({ ...foundation, credentials }),
    ...managementNodeOperations(queries),
    ...tagOperations({ queries, tags, shown: showUploadUrls(uploads) }),
    ...hostOperations({ ...foundation, queries, hosts, tags }),
    ...backupStorageOperations({ ...foundation, queries, backupStorage, tags }),
    ...softwarePackageOperations({ queries, packages, uploading, starting }),
    ...alertOperations({ ...foundation, queries, platforms, texts, tags }),
    ...chatEndpointOperations({ ...foundation, ...chat, queries, tags }),
    ...clusterPluginOperations({ queries, plugins, packages, starting: clusterStarting }),
    ...migrationOperations({ migration, starting: machines }),
    ...candidateHostOperations(candidateHosts),
    ...elaborationOperations({ elaborations }),
  ]
  return {
    bindings,
    authenticate,
    credentials,
    sessions,
    accounts,
    keys,
    tags,
    hosts,
    backupStorage,
    uploads,
    zips,
    migration,
    platforms,
    templates,
    ingestion,
    chat,
    candidateHosts,
    elaborations,
    passwords,
  }
}
