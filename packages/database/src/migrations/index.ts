import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Engine } from '../database.ts'
import { foundation } from './0001-foundation.ts'
import { uploads } from './0002-uploads.ts'
import { softwarePackages } from './0003-software-packages.ts'
import { clustersAlertsChat } from './0004-clusters-alerts-chat.ts'
import { candidateHosts } from './0005-candidate-hosts.ts'
import { migrationGateway } from './0006-migration-gateway.ts'
import { clusterMemory } from './0007-cluster-memory.ts'
import { deliveryAudience } from './0008-delivery-audience.ts'
import { packagesByStatus } from './0009-packages-by-status.ts'
import { deadLetters } from './0010-dead-letters.ts'
import { packagesPath } from './0011-packages-path.ts'
import { uploadDigests } from './0012-upload-digests.ts'
import { clusterComponents } from './0013-cluster-components.ts'
import { callOwners } from './0014-call-owners.ts'
import { recordsPerUser } from './0015-records-per-user.ts'
import { hookFiles } from './0016-hook-files.ts'
import { logLineKinds } from './0017-log-line-kinds.ts'
import { hostSamples } from './0018-host-samples.ts'
import { alertSilences } from './0019-alert-silences.ts'
import { jobNames } from './0020-job-names.ts'
import { probeFailures } from './0021-probe-failures.ts'
import { nodePublicUrls } from './0022-node-public-urls.ts'
import { storedCalls } from './0023-stored-calls.ts'
import { hostLabels } from './0024-host-labels.ts'
import { fillPackageVersions, packageVersions } from './0025-package-versions.ts'
import { releases } from './0026-releases.ts'
import { packageUpgrades } from './0027-package-upgrades.ts'
import { ownEvents } from './0028-own-events.ts'
import { rollouts } from './0029-rollouts.ts'
import { auditTrail } from './0030-audit-trail.ts'
import { relatedJobsAndHealthErrors } from './0031-related-jobs-and-health-errors.ts'
import { accessKeyLimits } from './0032-access-key-limits.ts'
import { rolloutRestores } from './0033-rollout-restores.ts'
import { fillClusterNodes, scopes } from './0034-scopes.ts'
import { sessionOrigins } from './0035-session-origins.ts'
import { deviceLogins } from './0036-device-logins.ts'
import { bootstrapPassword } from './0037-bootstrap-password.ts'
import { secondFactors } from './0038-second-factors.ts'
import { oidc } from './0039-oidc.ts'
import { pendingAuditEntries } from './0040-pending-audit-entries.ts'
import { uploadSources } from './0041-upload-sources.ts'
import { cheaperIndexes } from './0042-cheaper-indexes.ts'
import { type ColumnTypes, columnTypes } from './column-types.ts'

/** Forward only and additive: an older node may still run beside a newer one during an upgrade. */
const statements = {
  '0001-foundation': foundation,
  '0002-uploads': uploads,
  '0003-software-packages': softwarePackages,
  '0004-clusters-alerts-chat': clustersAlertsChat,
  '0005-candidate-hosts': candidateHosts,
  '0006-migration-gateway': migrationGateway,
  '0007-cluster-memory': clusterMemory,
  '0008-delivery-audience': deliveryAudience,
  '0009-packages-by-status': packagesByStatus,
  '0010-dead-letters': deadLetters,
  '0011-packages-path': packagesPath,
  '0012-upload-digests': uploadDigests,
  '0013-cluster-components': clusterComponents,
  '0014-call-owners': callOwners,
  '0015-records-per-user': recordsPerUser,
  '0016-hook-files': hookFiles,
  '0017-log-line-kinds': logLineKinds,
  '0018-host-samples': hostSamples,
  '0019-alert-silences': alertSilences,
  '0020-job-names': jobNames,
  '0021-probe-failures': probeFailures,
  '0022-node-public-urls': nodePublicUrls,
  '0023-stored-calls': storedCalls,
  '0024-host-labels': hostLabels,
  '0025-package-versions': packageVersions,
  '0026-releases': releases,
  '0027-package-upgrades': packageUpgrades,
  '0028-own-events': ownEvents,
  '0029-rollouts': rollouts,
  '0030-audit-trail': auditTrail,
  '0031-related-jobs-and-health-errors': relatedJobsAndHealthErrors,
  '0032-access-key-limits': accessKeyLimits,
  '0033-rollout-restores': rolloutRestores,
  '0034-scopes': scopes,
  '0035-session-origins': sessionOrigins,
  '0036-device-logins': deviceLogins,
  '0037-bootstrap-password': bootstrapPassword,
  '0038-second-factors': secondFactors,
  '0039-oidc': oidc,
  '0040-pending-audit-entries': pendingAuditEntries,
  '0041-upload-sources': uploadSources,
  '0042-cheaper-indexes': cheaperIndexes,
} satisfies Record<string, (types: ColumnTypes, engine: Engine) => string>

type MigrationName = keyof typeof statements

/** What statements cannot compute; it runs after those of the same migration. */
const fills: { readonly [Name in MigrationName]?: (db: Kysely<unknown>) => Promise<void> } = {
  '0025-package-versions': fillPackageVersions,
  '0034-scopes': fillClusterNodes,
}

export const migrationNames = Object.keys(statements) as MigrationName[]

export const statementsOf = (name: MigrationName, engine: Engine): string =>
  statements[name](columnTypes[engine], engine)

export const migrations = (
  engine: Engine,
  run: (db: Kysely<unknown>, sql: string) => Promise<void>,
): Record<string, Migration> =>
  Object.fromEntries(
    migrationNames.map((name) => [
      name,
      {
        up: async (db: Kysely<unknown>) => {
          await run(db, statementsOf(name, engine))
          await fills[name]?.(db)
        },
      },
    ]),
  )
