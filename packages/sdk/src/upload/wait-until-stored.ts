import type { WaitOptions } from '../call-types.ts'
import { createWharfError, type WharfError } from '../error.ts'
import { sleep } from '../http/abortable.ts'
import { retryDuringOutage } from '../http/outage.ts'
import { newestJobUuid } from '../jobs/newest-job.ts'
import type { UploadClient, UploadedPackage } from './upload-client.ts'

const pollMs = 200

/** Waits for the job that the last slice starts. When the response to that slice is lost, the job may not exist yet. */
export async function waitUntilStored(
  wharf: UploadClient,
  packageUuid: string,
  options: WaitOptions,
): Promise<UploadedPackage> {
  const findJob = retryDuringOutage(() => newestJobUuid(wharf, packageUuid, options), options)
  const getRecord = retryDuringOutage(() => wharf.softwarePackages.one(packageUuid, options), options)
  for (let failed: UploadedPackage | undefined; ; ) {
    const jobUuid = await findJob()
    if (jobUuid !== undefined) {
      const { inventory } = await wharf.job<{ inventory: UploadedPackage }>(jobUuid).wait(options)
      return inventory
    }
    if (failed) throw incompleteUploadError(failed)
    const record = await getRecord()
    // the job may start and fail between the two reads, and then its error is the reason
    if (record.status === 'UploadFailed') failed = record
    else await sleep(pollMs, options.signal)
  }
}

/** The server has deleted the upload and its bytes. */
export function incompleteUploadError({ name, uuid }: Pick<UploadedPackage, 'name' | 'uuid'>): WharfError {
  const details = `the upload of ${name} (${uuid}) ended before all of it was stored`
  return createWharfError('SoftwarePackage.1133', 410, 'the upload has ended', details)
}
