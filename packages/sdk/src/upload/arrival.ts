import type { WaitOptions } from '../call-types.ts'
import { WharfError } from '../error.ts'
import { pause } from '../http/pause.ts'
import { patient } from '../jobs/waiting.ts'
import type { UploadClient, UploadedPackage } from './client.ts'

const lookMs = 200

/** The last slice begins a job, which this waits for. When its answer got lost, the job may still be to come. */
export async function uploadedBy(
  wharf: UploadClient,
  packageUuid: string,
  options: WaitOptions,
): Promise<UploadedPackage> {
  const newest = { q: [`subjectUuid=${packageUuid}`], sort: '-createDate', limit: 1 }
  const findJob = patient(async () => (await wharf.jobs.query(newest, options)).inventories?.[0]?.uuid, options)
  const getRecord = patient(() => wharf.softwarePackages.one(packageUuid, options), options)
  for (let failed: UploadedPackage | undefined; ; ) {
    const jobUuid = await findJob()
    if (jobUuid !== undefined) {
      const { inventory } = await wharf.job<{ inventory: UploadedPackage }>(jobUuid).wait(options)
      return inventory
    }
    if (failed) throw endedEarly(failed)
    const record = await getRecord()
    // the job may have started and failed between the two reads, and then its error is the reason
    if (record.status === 'UploadFailed') failed = record
    else await pause(lookMs, options.signal)
  }
}

/** Its address is gone, and with it what was sent. */
export function endedEarly({ name, uuid }: Pick<UploadedPackage, 'name' | 'uuid'>): WharfError {
  const details = `the upload of ${name} (${uuid}) has ended before all of it was there`
  return new WharfError(
    {
      code: 'SoftwarePackage.1133',
      description: 'the upload has ended',
      details,
      elaboration: null,
      opaque: null,
      cause: null,
    },
    { status: 410 },
  )
}
