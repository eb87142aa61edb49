import { publishRelease } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { streamMd5, streamSha256 } from '@wharf/platform/stream-digest.ts'
import type { JobOperation } from '../../calls/job-operation.ts'
import { type JobContext, step } from '../../jobs/definition.ts'
import type { JobService } from '../../jobs/service.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'
import type { PackageRow, SoftwarePackageService } from '../software-packages/service.ts'
import type { ReleaseService } from './service.ts'

interface Input {
  readonly packageUuid: string
  readonly description?: string | undefined
  readonly resourceUuid?: string | undefined
  readonly tagUuids?: readonly string[] | undefined
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
}

interface Results {
  sha256: string
}

export interface PublishDeps {
  readonly releases: ReleaseService
  readonly packages: SoftwarePackageService
  readonly backupStorage: BackupStorageService
  readonly jobs: JobService
}

/** Answers at once for a package whose SHA-256 was computed in transit; a job reads any other package first. */
export const publishReleaseJob = (deps: PublishDeps): JobOperation<typeof publishRelease, Input, Results> => ({
  operation: publishRelease,
  async start(call, enqueue) {
    const { releases, packages, backupStorage, jobs } = deps
    const { softwarePackageUuid: packageUuid, ...fields } = call.fields
    releases.check(await packages.get(packageUuid))
    return call.commit(async (tx) => {
      const row = await packages.lock(tx, packageUuid)
      const { name, version } = releases.check(row)
      const input = { ...fields, packageUuid, tags: call.tags }
      if (row.sha256 !== null) {
        const busy = await jobs.findActive(packageUuid, tx)
        if (busy) throw isBusy(row, busy)
        return { inventory: await releases.publishPackage(tx, { ...input, sha256: row.sha256 }) }
      }
      const storage = await backupStorage.get(row.backupStorageUuid ?? '', tx)
      backupStorage.refuseUnusable(storage)
      return enqueue(tx, {
        subject: { uuid: row.uuid, name, version },
        host: null,
        storageName: storage.name,
        input,
        managementNodeUuid: storage.managementNodeUuid,
      })
    })
  },
  steps: [step('digest', (context) => computeDigest(context, deps))],
  async succeeded({ input, stepResults }, tx) {
    return { inventory: await deps.releases.publishPackage(tx, { ...input, sha256: stepResults.sha256 ?? '' }) }
  },
})

const isBusy = (row: PackageRow, { operation, uuid }: { operation: string; uuid: string }): ApiError =>
  new ApiError(
    'SYS.1005',
    `${operation} is still running on software package ${row.name}, as job ${uuid}; wait until it has ended, or cancel it`,
  )

/** The bytes must be those that were uploaded: a release is immutable. */
async function computeDigest(context: JobContext<Input, Results>, deps: PublishDeps): Promise<Results> {
  const { signal, progress, log } = context
  const row = await deps.packages.get(context.input.packageUuid)
  const { driver, row: storage } = await deps.backupStorage.usable(row.backupStorageUuid ?? '')
  log(`reading ${row.size} bytes from ${storage.name}`)
  const [md5, sha256] = [streamMd5(row.size), streamSha256(row.size)]
  try {
    let size = 0
    for await (const chunk of driver.get(row.installPath, { signal }) as AsyncIterable<Buffer>) {
      size += chunk.length
      await Promise.all([md5.update(chunk), sha256.update(chunk)])
      progress(Math.floor((100 * size) / Math.max(1, row.size)))
    }
    const [found, digest] = [await md5.digest(), await sha256.digest()]
    if (found !== row.md5sum)
      throw new ApiError(
        'SYS.1016',
        `${row.installPath} on backup storage ${storage.name} has ${size} bytes and the MD5 ${found} instead of ${row.size} bytes and ${row.md5sum}: the file was changed there; upload the package again`,
      )
    log(`SHA-256 ${digest}`)
    return { sha256: digest }
  } finally {
    md5.close()
    sha256.close()
  }
}
