import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { queryBackupStorage, queryRelease } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { CopiedText } from '../../components/CopiedText.tsx'
import { Health } from '../../components/Health.tsx'
import { HostLink } from '../../components/HostLink.tsx'
import { PackageStatus } from '../../components/package-status/PackageStatus.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'

export function PackageFacts({ record }: { record: PackageRecord }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { hostUuid } = record
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          { label: t.status, value: <PackageStatus uuid={record.uuid} status={record.status} /> },
          { label: t.version, value: record.version ?? '–' },
          { label: t.release, value: <ReleaseLink uuid={record.releaseUuid} /> },
          { label: t.health, value: <Health value={record.health} /> },
          {
            label: t.verified,
            value: record.lastVerifiedDate ? <RelativeTime time={record.lastVerifiedDate} /> : '–',
          },
          { label: t.type, value: record.type },
          { label: t.size, value: record.size ? format.bytes(record.size) : '–' },
          {
            label: hostUuid ? t.host : t.onStorage,
            value: hostUuid ? <HostLink uuid={hostUuid} /> : <StorageLink uuid={record.backupStorageUuid} />,
          },
          { label: t.installPath, value: <CopiedText text={record.installPath} /> },
          { label: t.unpacked, value: <CopiedText text={record.unzipInstallPath} /> },
          { label: t.created, value: <RelativeTime time={record.createDate} /> },
          { label: t.changed, value: <RelativeTime time={record.lastOpDate} /> },
          { label: t.md5, value: <CopiedText text={record.md5sum} /> },
          { label: t.uuid, value: <CopiedText text={record.uuid} /> },
        ]}
      />
    </Container>
  )
}

function StorageLink({ uuid }: { uuid: string | null }) {
  const { data } = useApiQuery(queryBackupStorage, { q: [`uuid=${uuid}`] }, { enabled: uuid !== null })
  return uuid ? <Link href={linkTo(['backup-storage', uuid])}>{data?.inventories?.[0]?.name ?? uuid}</Link> : '–'
}

function ReleaseLink({ uuid }: { uuid: string | null }) {
  const { data } = useApiQuery(queryRelease, { q: [`uuid=${uuid}`] }, { enabled: uuid !== null })
  const release = data?.inventories?.[0]
  if (uuid === null) return '–'
  return <Link href={linkTo(['releases', uuid])}>{release ? `${release.name} ${release.version}` : uuid}</Link>
}
