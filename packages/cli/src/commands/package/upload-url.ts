import type { Cli } from '../../cli.ts'
import { nodeForHost } from '../../nodes.ts'
import { perform, type Waiting } from '../../waiting.ts'
import type { Destination } from './upload-file.ts'
import { tellUploaded } from './uploaded.ts'

/** The server fetches it. */
export async function uploadUrl(
  cli: Cli,
  url: string,
  { hostUuid, backupStorageUuid, md5, sha256, ...named }: Destination,
  waiting: Waiting & { label: string },
): Promise<void> {
  const { uploadSoftwarePackage, uploadSoftwarePackageToBackupStorage } = await import('@wharf/contract')
  const digests = [md5, sha256].filter((digest) => digest !== undefined)
  const about = { ...named, systemTags: digests.map((digest) => `uploadSoftwarePackage::${digest}`) }
  const answer =
    hostUuid === undefined
      ? await perform(cli, uploadSoftwarePackageToBackupStorage, { ...about, url, backupStorageUuid }, waiting)
      : await perform(
          cli,
          uploadSoftwarePackage,
          { ...about, url, hostUuid, managementNodeUuid: await nodeForHost(await cli.wharf(), hostUuid) },
          waiting,
        )
  if (answer !== undefined) tellUploaded(cli, answer.inventory)
}
