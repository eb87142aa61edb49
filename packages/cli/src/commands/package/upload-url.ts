import type { UploadedPackage } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { type JobFlags, runOperation } from '../../run-operation.ts'
import type { Destination } from './upload-file.ts'

/** The server downloads the package. */
export async function uploadUrl(
  cli: Cli,
  url: string,
  { hostUuid, backupStorageUuid, md5, sha256, ...fields }: Destination,
  jobFlags: JobFlags & { label: string },
): Promise<UploadedPackage | undefined> {
  const { uploadSoftwarePackage, uploadSoftwarePackageToBackupStorage } = await import('@wharf/contract')
  const { managementNodeForHost } = await import('@wharf/sdk')
  const digests = [md5, sha256].filter((digest) => digest !== undefined)
  const common = { ...fields, url, systemTags: digests.map((digest) => `uploadSoftwarePackage::${digest}`) }
  const answer =
    hostUuid === undefined
      ? await runOperation(cli, uploadSoftwarePackageToBackupStorage, { ...common, backupStorageUuid }, jobFlags)
      : await runOperation(
          cli,
          uploadSoftwarePackage,
          { ...common, hostUuid, managementNodeUuid: await managementNodeForHost(await cli.wharf(), hostUuid) },
          jobFlags,
        )
  return answer?.inventory
}
