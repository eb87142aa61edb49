import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { queryHost, querySoftwarePackage } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { Gone } from '../../../parts/Gone.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { DiskUsage } from './DiskUsage.tsx'
import { HostActions } from './HostActions.tsx'
import { HostPackages } from './HostPackages.tsx'
import { words } from './words.ts'

/** Room comes and goes without an event. */
const lookMs = 30_000
const maxPackages = 1000

export function HostDetail({ uuid, search }: { uuid: string; search: URLSearchParams }) {
  const say = useWords(words)
  const [failure, setFailure] = useState<unknown>()
  const { data, error } = useAnswer(queryHost, { q: [`uuid=${uuid}`] }, { everyMs: lookMs })
  const stored = useAnswer(querySoftwarePackage, {
    q: [`hostUuid=${uuid}`],
    sort: '-size',
    limit: maxPackages,
    replyWithCount: true,
  })
  const host = data?.inventories?.[0]
  if (error) return <Failure error={error} />
  if (data === undefined) return <Spinner size="large" />
  if (host === undefined) return <Gone text={say.gone} href={linkTo(['hosts'])} toList={say.toList} />
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
        {failure ? <Failure error={failure} /> : null}
        <Container header={<Header variant="h2">{say.facts}</Header>}>
          <KeyValuePairs
            columns={4}
            items={[
              { label: say.status, value: <Status value={host.status} /> },
              { label: say.state, value: <Status value={host.state} /> },
              { label: say.address, value: `${host.address}${port}` },
              { label: say.driver, value: host.driver ?? '–' },
              { label: say.hostName, value: host.hostName ?? '–' },
              { label: say.system, value: host.system ?? '–' },
              { label: say.architecture, value: host.architecture ?? '–' },
              { label: say.model, value: [host.manufacturer, host.product].filter(Boolean).join(' ') || '–' },
              { label: say.sn, value: host.sn ?? '–' },
              { label: say.username, value: host.username ?? '–' },
              { label: say.packagesPath, value: host.packagesPath ?? '–' },
              { label: say.created, value: <When time={host.createDate} /> },
              { label: say.changed, value: <When time={host.lastOpDate} /> },
              ...(host.hostKeyFingerprint
                ? [{ label: say.fingerprint, value: <span className="fingerprint">{host.hostKeyFingerprint}</span> }]
                : []),
              ...(host.managementNodeUuid
                ? [{ label: say.node, value: <span className="fingerprint">{host.managementNodeUuid}</span> }]
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
