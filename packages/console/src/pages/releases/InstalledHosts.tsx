import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { querySoftwarePackage } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { Health } from '../../components/Health.tsx'
import { HostLink } from '../../components/HostLink.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { installedOf } from './installed-packages.ts'
import { messages } from './messages.ts'

/** The packages page lists the rest. */
const shown = 25

/** The hosts that have a release installed, and how it is there. */
export function InstalledHosts({ releaseUuid }: { releaseUuid: string }) {
  const t = useMessages(messages)
  const input = { q: installedOf(releaseUuid), sort: '+createDate', limit: shown, replyWithCount: true }
  const { data, error } = useApiQuery(querySoftwarePackage, input)
  const all = linkTo(['packages'], { q: `releaseUuid=${releaseUuid}` })
  return (
    <SectionTable
      title={t.installedOn}
      records={data?.inventories}
      total={data?.total}
      keyOf={({ uuid = '' }) => uuid}
      error={error}
      call={{ operation: querySoftwarePackage, input: { q: installedOf(releaseUuid) } }}
      actions={(data?.total ?? 0) > shown ? <Button href={all}>{t.showAll}</Button> : null}
      columns={[
        {
          field: 'hostUuid',
          label: t.host,
          cell: ({ hostUuid }) => (hostUuid ? <HostLink uuid={hostUuid} /> : t.none),
        },
        {
          field: 'name',
          label: t.package,
          cell: ({ uuid = '', name }) => <Link href={linkTo(['packages', uuid])}>{name}</Link>,
        },
        { field: 'version', label: t.version },
        { field: 'health', label: t.health, cell: ({ health }) => <Health value={health} /> },
        {
          field: 'lastVerifiedDate',
          label: t.verified,
          cell: ({ lastVerifiedDate }) => (lastVerifiedDate ? <RelativeTime time={lastVerifiedDate} /> : t.none),
        },
      ]}
      empty={t.noHosts}
    />
  )
}
