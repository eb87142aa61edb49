import { querySoftwarePackage, querySystemTag } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'
import { isActive } from './active-uploads.ts'
import { isInQueue, parseUnfinishedUpload, type UnfinishedUpload } from './unfinished-upload.ts'
import { useUploads } from './use-uploads.ts'

const maxShown = 50
/** No event reports a closed tab. */
const pollMs = 10_000

/** Uploads of this user, started in a browser, that no tab of this browser is sending. */
export function useUnfinishedUploads(): readonly UnfinishedUpload[] {
  const here = useUploads()
  const { data: uploading } = useApiQuery(
    querySoftwarePackage,
    { q: ['status=Uploading'], sort: '-createDate', limit: maxShown, fields: ['uuid', 'createDate'] },
    { pollMs },
  )
  const packages = uploading?.inventories ?? []
  const uuids = packages.map(({ uuid = '' }) => uuid)
  const { data: tagged } = useApiQuery(
    querySystemTag,
    { q: [`resourceUuid?=${uuids.join(',')}`], fields: ['resourceUuid', 'tag'] },
    { enabled: uuids.length > 0 },
  )
  return packages
    .flatMap(({ uuid = '', createDate }) => {
      const tags = (tagged?.inventories ?? []).filter(({ resourceUuid }) => resourceUuid === uuid)
      return parseUnfinishedUpload({ uuid, createDate, tags: tags.map(({ tag = '' }) => tag) }) ?? []
    })
    .filter((upload) => !isInQueue(upload, here) && !isActive(upload.packageUuid))
}
