import type { Wharf } from '@wharf/sdk'
import type { GroupSpec } from '../command.ts'
import { failureReason } from '../failure-reason.ts'
import { listCommand } from '../list-command.ts'
import type { FoundRecord } from '../names/resolve-record.ts'
import { showCommand } from '../show-command.ts'
import { deletePackage } from './package/delete.ts'
import { install } from './package/install.ts'
import { log } from './package/log.ts'
import { newestPackageJob } from './package/newest-job.ts'
import { rollback } from './package/rollback.ts'
import { uninstall } from './package/uninstall.ts'
import { upgrade } from './package/upgrade.ts'
import { upload } from './package/upload.ts'
import { verify } from './package/verify.ts'

/** The job and the error of a package whose status is a failure, or that is Unhealthy. */
async function failureOf(wharf: Wharf, { uuid, status, health }: FoundRecord): Promise<object> {
  if (!/Failed$/.test(String(status)) && health !== 'Unhealthy') return {}
  const { uuid: job } = (await newestPackageJob(wharf, uuid)) ?? {}
  const reason = job === undefined ? undefined : await failureReason(wharf, job)
  // the periodic verification is not a job; healthError is its reason
  return reason === undefined ? {} : { job, reason }
}

export const packageGroup: GroupSpec = {
  name: 'package',
  summary: 'Manage software packages: upload, install, upgrade, roll back, delete',
  commands: [
    upload,
    listCommand('softwarePackages', {
      path: 'package',
      plural: 'packages',
      columns: ['name', 'version', 'type', 'status', 'health', 'host', 'size', 'installPath', 'uuid'],
      wide: [
        'lastVerifiedDate',
        'backupStorage',
        'md5sum',
        'unzipInstallPath',
        'managementNode',
        'createDate',
        'lastOpDate',
      ],
      example: '--query status=Uploaded',
    }),
    showCommand('softwarePackages', { path: 'package', example: 'hello', describe: failureOf }),
    install,
    upgrade,
    rollback,
    verify,
    uninstall,
    deletePackage,
    log,
  ],
}
