import { querySoftwarePackage, querySystemTag } from '@wharf/contract'
import { useAnswer } from '../wharf/answers.ts'
import { isSending } from './other-tabs.ts'
import { readUnfinished, type UnfinishedUpload } from './read-unfinished.ts'
import { useUploads } from './uploads.ts'

const maxShown = 50
/** A closed tab tells nobody. */
const lookEveryMs = 10_000

/** Uploads begun by a page, by this user, that no tab of this browser sends at the moment. */
export function useUnfinished(): readonly UnfinishedUpload[] {
  const here = useUploads()
  const { data: uploading } = useAnswer(
    querySoftwarePackage,
    { q: ['status=Uploading'], sort: '-createDate', limit: maxShown, fields: ['uuid', 'createDate'] },
    { everyMs: lookEveryMs },
  )
  const packages = uploading?.inventories ?? []
  const uuids = packages.map(({ uuid = '' }) => uuid)
  const { data: tagged } = useAnswer(
    querySystemTag,
    { q: [`resourceUuid?=${uuids.join(',')}`], fields: ['resourceUuid', 'tag'] },
    { enabled: uuids.length > 0 },
  )
  return packages
    .filter(({ uuid = '' }) => !here.some(({ packageUuid }) => packageUuid === uuid) && !isSending(uuid))
    .flatMap(({ uuid = '', createDate }) => {
      const tags = (tagged?.inventories ?? []).filter(({ resourceUuid }) => resourceUuid === uuid)
      return readUnfinished({ uuid, createDate, tags: tags.map(({ tag = '' }) => tag) }) ?? []
    })
}
