import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { getSoftwarePackageConfigSchema, queryBackupStorage } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { messages as componentMessages } from '../../components/messages.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { HostLink } from './HostLink.tsx'
import { messages } from './messages.ts'
import { PackageStatus } from './PackageStatus.tsx'
import type { PackageRecord } from './package-record.ts'

export function PackageFacts({ record }: { record: PackageRecord }) {
  const t = useMessages(messages)
  const parts = useMessages(componentMessages)
  const format = useFormat()
  const { hostUuid } = record
  const copied = (text: string | null) =>
    text ? (
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        copyButtonAriaLabel={`${parts.copy} ${text}`}
        copySuccessText={parts.copied}
        copyErrorText={parts.failed}
      />
    ) : (
      '–'
    )
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          { label: t.status, value: <PackageStatus uuid={record.uuid} status={record.status} /> },
          { label: t.type, value: record.type },
          { label: t.size, value: record.size ? format.bytes(record.size) : '–' },
          {
            label: hostUuid ? t.host : t.onStorage,
            value: hostUuid ? <HostLink uuid={hostUuid} /> : <StorageLink packageUuid={record.uuid} />,
          },
          { label: t.installPath, value: copied(record.installPath) },
          { label: t.unpacked, value: copied(record.unzipInstallPath) },
          { label: t.created, value: <RelativeTime time={record.createDate} /> },
          { label: t.changed, value: <RelativeTime time={record.lastOpDate} /> },
          { label: t.md5, value: copied(record.md5sum) },
          { label: t.uuid, value: copied(record.uuid) },
        ]}
      />
    </Container>
  )
}

/** The backup storage of a package; its record does not contain it, so it needs a query. */
function StorageLink({ packageUuid }: { packageUuid: string }) {
  const uuid = useApiQuery(getSoftwarePackageConfigSchema, { uuid: packageUuid }).data?.backupStorageUuid
  const { data } = useApiQuery(queryBackupStorage, { q: [`uuid=${uuid}`] }, { enabled: Boolean(uuid) })
  return uuid ? <Link href={linkTo(['backup-storage', uuid])}>{data?.inventories?.[0]?.name ?? uuid}</Link> : <>–</>
}
