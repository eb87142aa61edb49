import type { WaitOptions } from '../call-types.ts'
import { WharfError } from '../error.ts'
import { pause } from '../http/pause.ts'
import type { UploadClient, UploadedPackage } from './client.ts'

const lookMs = 200

/** The last slice begins a job, which this waits for. When its answer got lost, the job may still be to come. */
export async function uploadedBy(
  wharf: UploadClient,
  packageUuid: string,
  options: WaitOptions,
): Promise<UploadedPackage> {
  for (;;) {
    const { inventories = [] } = await wharf.jobs.query(
      { q: [`subjectUuid=${packageUuid}`], sort: '-createDate', limit: 1 },
      options,
    )
    const [job] = inventories
    if (job?.uuid !== undefined) {
      const { inventory } = await wharf.job<{ inventory: UploadedPackage }>(job.uuid).wait(options)
      return inventory
    }
    const record = await wharf.softwarePackages.one(packageUuid, options)
    if (record.status === 'UploadFailed') throw endedEarly(record)
    await pause(lookMs, options.signal)
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
