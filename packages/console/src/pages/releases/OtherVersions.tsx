import Link from '@cloudscape-design/components/link'
import { queryRelease } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { InstalledCount } from './InstalledCount.tsx'
import { messages } from './messages.ts'
import type { ReleaseRecord } from './release-record.ts'

const shown = 10

/** The other versions of the software, the newest first. */
export function OtherVersions({ release: { uuid, name } }: { release: ReleaseRecord }) {
  const t = useMessages(messages)
  const q = [`name=${name}`, `uuid!=${uuid}`]
  const { data, error } = useApiQuery(queryRelease, { q, sort: '-createDate', limit: shown, replyWithCount: true })
  if (data?.total === 0) return null
  return (
    <SectionTable
      title={t.otherVersions}
      records={data?.inventories}
      total={data?.total}
      keyOf={({ uuid = '' }) => uuid}
      error={error}
      columns={[
        {
          field: 'version',
          label: t.version,
          cell: (one) => <Link href={linkTo(['releases', one.uuid ?? ''])}>{one.version}</Link>,
        },
        { field: 'state', label: t.state, cell: ({ state }) => <Status value={state} /> },
        {
          field: 'uuid',
          label: t.installedOn,
          cell: ({ uuid = '' }) => <InstalledCount releaseUuid={uuid} />,
        },
        {
          field: 'createDate',
          label: t.published,
          cell: ({ createDate }) => <RelativeTime time={createDate} />,
        },
      ]}
      empty={t.noHosts}
    />
  )
}
