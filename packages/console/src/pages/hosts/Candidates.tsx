import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { addHost, getCandidateMiniHosts } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useRefusal } from '../../components/permission.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { addressOf, type Candidate, modelOf, nameOf } from './candidate.ts'
import { messages } from './messages.ts'

/** No event reports that a machine appears or disappears. */
const pollMs = 5000

export function Candidates() {
  const t = useMessages(messages)
  const format = useFormat()
  const refused = useRefusal()
  const { data, error, isPending } = useApiQuery(getCandidateMiniHosts, {}, { pollMs })
  const hosts = data?.hosts ?? []
  const add = (host: Candidate): void =>
    navigate(linkTo(['hosts', 'add'], { address: addressOf(host), name: nameOf(host) }))
  return (
    <SpaceBetween size="m">
      {error ? <ErrorAlert error={error} /> : null}
      <Table
        variant="full-page"
        loading={isPending}
        items={hosts}
        trackBy={(host) => `${host.sn} ${addressOf(host)}`}
        header={
          <Header variant="h1" counter={data && `(${format.number(hosts.length)})`} description={t.candidatesIntro}>
            {t.candidatesTitle}
          </Header>
        }
        columnDefinitions={[
          { id: 'hostName', header: t.name, cell: (host) => host.hostName ?? '–', isRowHeader: true },
          { id: 'ipv4', header: t.address, cell: (host) => host.ipv4Address ?? '–' },
          { id: 'ipv6', header: t.ipv6, cell: (host) => host.ipv6Address ?? '–' },
          { id: 'interface', header: t.interface, cell: (host) => host.ipv4Interface ?? host.ipv6Interface ?? '–' },
          { id: 'model', header: t.model, cell: (host) => modelOf(host) },
          { id: 'sn', header: t.sn, cell: (host) => host.sn ?? '–' },
          {
            id: 'add',
            header: t.addThis,
            minWidth: 100,
            cell: (host) => (
              <Button
                variant="inline-link"
                ariaLabel={t.addNamed(host.hostName ?? addressOf(host))}
                {...refused(addHost)}
                onClick={() => add(host)}
              >
                {t.addThis}
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState text={t.noCandidates}>
            <Button {...refused(addHost)} onClick={() => navigate(linkTo(['hosts', 'add']))}>
              {t.add}
            </Button>
          </EmptyState>
        }
      />
    </SpaceBetween>
  )
}
