import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { queryHost, querySoftwarePackage } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../../browser/route.ts'
import { DeletedNotice } from '../../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { Status } from '../../../components/Status.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { DiskUsage } from './DiskUsage.tsx'
import { HostActions } from './HostActions.tsx'
import { HostPackages } from './HostPackages.tsx'
import { messages } from './messages.ts'

/** Room comes and goes without an event. */
const pollMs = 30_000
const maxPackages = 1000

export function HostDetail({ uuid, search }: { uuid: string; search: URLSearchParams }) {
  const t = useMessages(messages)
  const [failure, setFailure] = useState<unknown>()
  const { data, error } = useApiQuery(queryHost, { q: [`uuid=${uuid}`] }, { pollMs })
  const stored = useApiQuery(querySoftwarePackage, {
    q: [`hostUuid=${uuid}`],
    sort: '-size',
    limit: maxPackages,
    replyWithCount: true,
  })
  const host = data?.inventories?.[0]
  if (error) return <ErrorAlert error={error} />
  if (data === undefined) return <Spinner size="large" />
  if (host === undefined) return <DeletedNotice text={t.gone} href={linkTo(['hosts'])} toList={t.toList} />
  const packages = stored.data?.inventories ?? []
  const count = stored.data?.total ?? 0
  const port = host.sshPort && host.sshPort !== 22 ? `:${host.sshPort}` : ''
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          {...(host.description ? { description: host.description } : {})}
          actions={<HostActions host={host} packages={count} onFailure={setFailure} />}
        >
          {host.name}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {failure ? <ErrorAlert error={failure} /> : null}
        <Container header={<Header variant="h2">{t.facts}</Header>}>
          <KeyValuePairs
            columns={4}
            items={[
              { label: t.status, value: <Status value={host.status} /> },
              { label: t.state, value: <Status value={host.state} /> },
              { label: t.address, value: `${host.address}${port}` },
              { label: t.driver, value: host.driver ?? '–' },
              { label: t.hostName, value: host.hostName ?? '–' },
              { label: t.system, value: host.system ?? '–' },
              { label: t.architecture, value: host.architecture ?? '–' },
              { label: t.model, value: [host.manufacturer, host.product].filter(Boolean).join(' ') || '–' },
              { label: t.sn, value: host.sn ?? '–' },
              { label: t.username, value: host.username ?? '–' },
              { label: t.packagesPath, value: host.packagesPath ?? '–' },
              { label: t.created, value: <RelativeTime time={host.createDate} /> },
              { label: t.changed, value: <RelativeTime time={host.lastOpDate} /> },
              ...(host.hostKeyFingerprint
                ? [{ label: t.fingerprint, value: <span className="fingerprint">{host.hostKeyFingerprint}</span> }]
                : []),
              ...(host.managementNodeUuid
                ? [{ label: t.node, value: <span className="fingerprint">{host.managementNodeUuid}</span> }]
                : []),
            ]}
          />
        </Container>
        <DiskUsage host={host} packages={packages} total={count} asked={search.get('folder') ?? undefined} />
        <HostPackages hostUuid={uuid} packages={packages} total={count} error={stored.error} />
      </SpaceBetween>
    </ContentLayout>
  )
}
