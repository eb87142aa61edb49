import { versionedName } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import type { DatabaseClock } from '@wharf/database/database-clock.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'
import type { AuditService } from '../audit/service.ts'
import type { Queries } from '../calls/query-bindings.ts'
import type { Outbox } from '../events/outbox.ts'
import { auditExport } from '../http/audit-export.ts'
import type { AuditedCalls } from '../http/audited-call.ts'
import { eventFeedOperations } from '../http/event-feed.ts'
import type { ServedBinding } from '../http/exchange.ts'
import { jobOperations } from '../http/job-operations.ts'
import { oidcOperations } from '../http/oidc-operations.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import type { JobService } from '../jobs/service.ts'
import { AlertPlatformService } from '../resources/alerts/alert-platform-service.ts'
import { AlertRenderer } from '../resources/alerts/alert-renderer.ts'
import { AlertIngestion } from '../resources/alerts/ingestion.ts'
import { alertOperations } from '../resources/alerts/operations.ts'
import { AlertService } from '../resources/alerts/service.ts'
import { TemplateRenderer } from '../resources/alerts/template-renderer.ts'
import { auditOperations } from '../resources/audit-entries/operations.ts'
import { backupStorageOperations } from '../resources/backup-storage/operations.ts'
import { BackupStorageService } from '../resources/backup-storage/service.ts'
import { candidateHostOperations } from '../resources/candidate-hosts/operations.ts'
import { CandidateHostService } from '../resources/candidate-hosts/service.ts'
import { createChatServices } from '../resources/chat-endpoints/chat-services.ts'
import type { DeliveryLimits } from '../resources/chat-endpoints/delivery-limits.ts'
import { chatEndpointOperations } from '../resources/chat-endpoints/operations.ts'
import { clusterPluginOperations } from '../resources/cluster-plugins/operations.ts'
import { ClusterPluginService } from '../resources/cluster-plugins/service.ts'
import { elaborationOperations } from '../resources/elaborations/operations.ts'
import { ElaborationService } from '../resources/elaborations/service.ts'
import { hostOperations } from '../resources/hosts/operations.ts'
import { HostService } from '../resources/hosts/service.ts'
import { ExpiryReports } from '../resources/identity/access-keys/expiry-reports.ts'
import { accessKeyOperations } from '../resources/identity/access-keys/operations.ts'
import { AccessKeyService } from '../resources/identity/access-keys/service.ts'
import { AccountDeletions } from '../resources/identity/accounts/account-deletions.ts'
import { accountOperations } from '../resources/identity/accounts/operations.ts'
import { PasswordChanges } from '../resources/identity/accounts/password-changes.ts'
import { AccountService } from '../resources/identity/accounts/service.ts'
import { UserChanges } from '../resources/identity/accounts/user-changes.ts'
import { makeAuthenticate } from '../resources/identity/authenticate.ts'
import { Credentials } from '../resources/identity/credentials.ts'
import { deviceLoginOperations } from '../resources/identity/device-logins/operations.ts'
import { DeviceLoginService } from '../resources/identity/device-logins/service.ts'
import { LoginThrottle } from '../resources/identity/login-throttle.ts'
import type { OidcLimits } from '../resources/identity/oidc/limits.ts'
import { createOidcServices } from '../resources/identity/oidc/oidc-services.ts'
import { makePasswords, type ScryptCost } from '../resources/identity/passwords.ts'
import { Nonces } from '../resources/identity/request-signatures/nonces.ts'
import { secondFactorOperations } from '../resources/identity/second-factors/operations.ts'
import { SecondFactorService } from '../resources/identity/second-factors/service.ts'
import { sessionOperations } from '../resources/identity/sessions/operations.ts'
import { SessionService } from '../resources/identity/sessions/service.ts'
import { maintenanceWindowOperations } from '../resources/maintenance-windows/operations.ts'
import { MaintenanceWindowService } from '../resources/maintenance-windows/service.ts'
import { managementNodeOperations } from '../resources/management-nodes/operations.ts'
import { MigratePackages } from '../resources/migration/migrate-packages.ts'
import { migrationOperations } from '../resources/migration/operations.ts'
import { MigrationService } from '../resources/migration/service.ts'
import { releaseOperations } from '../resources/releases/operations.ts'
import { ReleaseService } from '../resources/releases/service.ts'
import type { CoordinatorLimits } from '../resources/rollouts/coordinator.ts'
import { rolloutOperations } from '../resources/rollouts/operations.ts'
import { createRolloutServices } from '../resources/rollouts/rollout-services.ts'
import { softwarePackageOperations } from '../resources/software-packages/operations.ts'
import { PackageVerification } from '../resources/software-packages/package-verification.ts'
import { ReleaseCache } from '../resources/software-packages/release-cache.ts'
import { SoftwarePackageService } from '../resources/software-packages/service.ts'
import { PackageUpgrades } from '../resources/software-packages/upgrades/service.ts'
import { showUploadUrls } from '../resources/software-packages/upload-url-tags.ts'
import { VerificationSchedule } from '../resources/software-packages/verification-schedule.ts'
import { ZipSpool } from '../resources/software-packages/zip-spool.ts'
import type { SystemEvents } from '../resources/system-events/service.ts'
import { SystemEventRenderer } from '../resources/system-events/system-event-renderer.ts'
import { tagOperations } from '../resources/tags/operations.ts'
import { TagService } from '../resources/tags/service.ts'
import { UploadService } from '../resources/uploads/service.ts'
import type { Settings } from './settings.ts'

/** What every resource can use. */
export interface Foundation {
  readonly settings: Settings
  readonly database: Database
  readonly audit: AuditService
  readonly auditedCalls: AuditedCalls
  readonly events: Outbox
  /** The messages about Wharf itself. */
  readonly systemEvents: SystemEvents
  readonly jobs: JobService
  readonly streams: OpenStreams
  readonly sealing: Sealing
  /** The clock of record times. */
  readonly clock: Clock
  readonly databaseClock: DatabaseClock
  readonly log: Log
  readonly formatTimestamp: (ms: number) => string
  readonly nodeUuid: string
  readonly ownAddress: ServerAddress
}

interface ResourceOptions {
  readonly passwordCost?: ScryptCost
  readonly deliveryLimits?: Partial<DeliveryLimits>
  readonly rolloutLimits?: Partial<CoordinatorLimits>
  readonly oidcLimits?: Partial<OidcLimits>
}

export type Resources = ReturnType<typeof buildResources>

/** Every resource, in the order of their dependencies. */
export function buildResources(
  foundation: Foundation,
  { passwordCost, deliveryLimits, rolloutLimits, oidcLimits }: ResourceOptions = {},
) {
  const { settings, database } = foundation
  const queries: Queries = { database, timezone: settings.timezone, emptyNotFound: settings.emptyNotFound }

  const credentials = new Credentials(foundation)
  const nonces = new Nonces(foundation)
  const attempts = new LoginThrottle(foundation.clock)
  const passwords = makePasswords(passwordCost)
  const authenticate = makeAuthenticate({ ...foundation, ...settings, credentials, attempts })
  const secondFactors = new SecondFactorService({ ...foundation, attempts })
  const sessions = new SessionService({ ...foundation, credentials, attempts, passwords, secondFactors })
  const tags = new TagService(foundation)
  const userChanges = new UserChanges({ ...foundation, sessions })
  const accounts = new AccountService({ ...foundation, userChanges })
  const passwordChanges = new PasswordChanges({ ...foundation, userChanges, passwords, attempts })
  const deletions = new AccountDeletions({ ...foundation, userChanges, tags })
  const keys = new AccessKeyService({ ...foundation, credentials, tags })
  const oidc = createOidcServices({ ...foundation, sessions, keys }, oidcLimits)
  const deviceLogins = new DeviceLoginService({ ...foundation, attempts, keys })
  const expiryReports = new ExpiryReports(foundation)
  const hosts = new HostService(foundation)
  const backupStorage = new BackupStorageService(foundation)
  const uploads = new UploadService(foundation)
  deletions.onUserDeleted((tx, userUuid) => uploads.endOfUser(tx, userUuid))
  const packages = new SoftwarePackageService({ ...foundation, tags, uploads, hosts })
  const releases = new ReleaseService({ ...foundation, packages, backupStorage, tags })
  const verification = new PackageVerification({
    ...foundation,
    packages,
    hosts,
    schedule: new VerificationSchedule(foundation),
  })
  const zips = new ZipSpool(foundation)
  const releaseCache = new ReleaseCache(foundation)
  const migration = new MigrationService({ ...foundation, hosts, backupStorage, tags })
  packages.addKind(new MigratePackages({ ...foundation, migration, packages, hosts, backupStorage }))
  const platforms = new AlertPlatformService(foundation)
  const alerts = new AlertService(foundation)
  const templates = new TemplateRenderer()
  const eventRenderer = new SystemEventRenderer({ ...foundation, templates })
  const chat = createChatServices({ ...foundation, platforms, eventRenderer }, deliveryLimits)
  const renderer = new AlertRenderer({ ...foundation, templates })
  const ingestion = new AlertIngestion({ ...foundation, attempts, platforms, renderer, deliveries: chat.deliveries })
  const plugins = new ClusterPluginService({ ...foundation, tags, platforms })
  packages.onHealthChange(async (tx, { uuid, name, version, hostUuid, health, healthError }) => {
    if (health !== 'Unhealthy') return
    const title = versionedName({ subjectName: name, subjectVersion: version }) ?? name
    const resource = { type: 'SoftwarePackage', uuid, name: title }
    const host = hostUuid === null ? undefined : await hosts.find(hostUuid, tx)
    const event = { event: 'PackageUnhealthy', resource, target: host?.name, reason: healthError } as const
    await foundation.systemEvents.record(tx, event)
  })
  packages.addReferrer(async (tx, uuid) => {
    const plugin = await plugins.findOnPackage(uuid, tx)
    return plugin && { uuid: plugin.uuid, text: `cluster plugin ${plugin.name}` }
  })
  const candidateHosts = new CandidateHostService({ ...foundation, hosts })
  const elaborations = new ElaborationService(foundation)
  const windows = new MaintenanceWindowService({ ...foundation, hosts })
  const upgrades = new PackageUpgrades({
    ...foundation,
    packages,
    releases,
    hosts,
    backupStorage,
    uploads,
    releaseCache,
    tags,
    accounts,
  })
  const fleet = createRolloutServices(
    {
      ...foundation,
      packages,
      releases,
      upgrades,
      hosts,
      windows,
      platforms,
      accounts,
    },
    rolloutLimits,
  )

  const bindings: ServedBinding[] = [
    ...sessionOperations({ queries, sessions }),
    ...oidcOperations(oidc),
    ...accountOperations({ ...foundation, queries, accounts, passwords, passwordChanges, deletions }),
    ...secondFactorOperations({ passwordChanges, secondFactors }),
    ...accessKeyOperations({ queries, keys }),
    ...deviceLoginOperations(deviceLogins),
    ...jobOperations({ ...foundation, credentials, accounts }),
    ...eventFeedOperations({ ...foundation, credentials }),
    ...managementNodeOperations({ ...foundation, queries }),
    ...tagOperations({ queries, tags, shown: showUploadUrls(uploads) }),
    ...hostOperations({ ...foundation, queries, hosts, tags, packages, backupStorage }),
    ...backupStorageOperations({ ...foundation, queries, backupStorage, tags, packages }),
    ...softwarePackageOperations({
      ...foundation,
      queries,
      packages,
      releases,
      hosts,
      backupStorage,
      uploads,
      releaseCache,
      tags,
      accounts,
    }),
    ...releaseOperations({ ...foundation, queries, releases, packages, backupStorage }),
    ...maintenanceWindowOperations({ queries, windows, tags, clock: foundation.clock }),
    ...rolloutOperations({ ...fleet, queries, tags }),
    ...alertOperations({ ...foundation, queries, platforms, alerts, accounts, renderer, tags }),
    ...chatEndpointOperations({ ...foundation, ...chat, queries, tags, eventRenderer }),
    ...clusterPluginOperations({ ...foundation, queries, plugins, packages, platforms, hosts, tags }),
    ...migrationOperations({ ...foundation, migration, packages, hosts, backupStorage, tags }),
    ...candidateHostOperations(candidateHosts),
    ...elaborationOperations({ elaborations }),
    ...auditOperations({ ...foundation, queries }),
    auditExport({ ...foundation, credentials }),
  ]
  return {
    bindings,
    authenticate,
    credentials,
    nonces,
    sessions,
    secondFactors,
    accounts,
    passwordChanges,
    keys,
    oidc,
    deviceLogins,
    expiryReports,
    tags,
    hosts,
    backupStorage,
    uploads,
    verification,
    zips,
    releaseCache,
    migration,
    platforms,
    alerts,
    templates,
    ingestion,
    chat,
    candidateHosts,
    elaborations,
    fleet,
    passwords,
  }
}
