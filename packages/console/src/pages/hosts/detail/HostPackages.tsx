import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import type { querySoftwarePackage } from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { Health } from '../../../components/Health.tsx'
import { PackageStatus } from '../../../components/package-status/PackageStatus.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { SectionTable } from '../../../components/table/SectionTable.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface HostPackagesProps {
  readonly hostUuid: string
  readonly packages: readonly RecordOf<typeof querySoftwarePackage>[]
  readonly total: number
  readonly error: unknown
}

/** The packages page lists the rest. */
const shown = 10

export function HostPackages({ hostUuid, packages, total, error }: HostPackagesProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const all = linkTo(['packages'], { q: `hostUuid=${hostUuid}` })
  return (
    <SectionTable
      title={t.packages}
      records={packages.slice(0, shown)}
      total={total}
      keyOf={({ uuid = '' }) => uuid}
      error={error}
      actions={total > shown ? <Button href={all}>{t.allPackages}</Button> : null}
      columns={[
        {
          field: 'name',
          label: t.name,
          cell: ({ uuid = '', name }) => <Link href={linkTo(['packages', uuid])}>{name}</Link>,
        },
        {
          field: 'status',
          label: t.packageStatus,
          cell: ({ uuid = '', status }) => <PackageStatus uuid={uuid} status={status} />,
        },
        { field: 'version', label: t.version },
        { field: 'health', label: t.health, cell: ({ health }) => <Health value={health} /> },
        {
          field: 'lastVerifiedDate',
          label: t.verified,
          cell: ({ lastVerifiedDate }) => (lastVerifiedDate ? <RelativeTime time={lastVerifiedDate} /> : '–'),
        },
        { field: 'type', label: t.type },
        { field: 'size', label: t.size, cell: ({ size = 0 }) => format.bytes(size) },
        { field: 'installPath', label: t.path },
      ]}
      empty={t.noPackages}
      first={<Button onClick={() => navigate(linkTo(['packages']))}>{t.toPackages}</Button>}
    />
  )
}
