import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { queryBackupStorage, querySoftwarePackage } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { CopiedText } from '../../components/CopiedText.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { ReleaseRecord } from './release-record.ts'

export function ReleaseFacts({ record }: { record: ReleaseRecord }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { softwarePackageUuid, backupStorageUuid } = record
  const packages = useApiQuery(querySoftwarePackage, { q: [`uuid=${softwarePackageUuid}`], fields: ['uuid', 'name'] })
  const storages = useApiQuery(queryBackupStorage, { q: [`uuid=${backupStorageUuid}`], fields: ['uuid', 'name'] })
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          { label: t.state, value: <Status value={record.state} /> },
          { label: t.type, value: record.type },
          { label: t.size, value: format.bytes(record.size) },
          {
            label: t.package,
            value: (
              <Link href={linkTo(['packages', softwarePackageUuid])}>
                {packages.data?.inventories?.[0]?.name ?? softwarePackageUuid}
              </Link>
            ),
          },
          {
            label: t.storage,
            value: (
              <Link href={linkTo(['backup-storage', backupStorageUuid])}>
                {storages.data?.inventories?.[0]?.name ?? backupStorageUuid}
              </Link>
            ),
          },
          { label: t.published, value: <RelativeTime time={record.createDate} /> },
          { label: t.sha256, value: <CopiedText text={record.sha256} /> },
          { label: t.md5, value: <CopiedText text={record.md5sum} /> },
          { label: t.uuid, value: <CopiedText text={record.uuid} /> },
        ]}
      />
    </Container>
  )
}
