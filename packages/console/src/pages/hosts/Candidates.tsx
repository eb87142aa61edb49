import Button from '@cloudscape-design/components/button'
import { addHost, getCandidateMiniHosts } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { useRefusal } from '../../components/permission.ts'
import type { Column } from '../../components/table/column.ts'
import { LocalTable } from '../../components/table/LocalTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { addressOf, type Candidate, modelOf, nameOf } from './candidate.ts'
import { messages } from './messages.ts'
import { useAddCandidates } from './use-add-candidates.tsx'

/** No event reports that a machine appears or disappears. */
const pollMs = 5000

export function Candidates({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const { data, error, isFetching, refetch } = useApiQuery(getCandidateMiniHosts, {}, { pollMs })
  const addCandidates = useAddCandidates()
  const add = (host: Candidate): void =>
    navigate(linkTo(['hosts', 'add'], { address: addressOf(host), name: nameOf(host) }))
  const columns: Column<Candidate>[] = [
    { field: 'hostName', label: t.name, width: 150, text: (host) => host.hostName ?? addressOf(host) },
    { field: 'ipv4Address', label: t.address, width: 160 },
    { field: 'ipv6Address', label: t.ipv6, isOptional: true },
    {
      field: 'ipv4Interface',
      label: t.interface,
      width: 140,
      text: (host) => host.ipv4Interface ?? host.ipv6Interface ?? '',
    },
    { field: 'product', label: t.model, width: 220, text: modelOf },
    { field: 'sn', label: t.sn, width: 170 },
  ]
  return (
    <LocalTable
      title={t.candidatesTitle}
      description={t.candidatesIntro}
      records={data?.hosts}
      error={error}
      isFetching={isFetching}
      refetch={() => void refetch()}
      call={{ operation: getCandidateMiniHosts, input: {} }}
      keyOf={(host) => `${host.sn} ${addressOf(host)}`}
      columns={columns}
      search={search}
      path={['hosts', 'candidates']}
      defaultSort="+hostName"
      textField="hostName"
      bulkActions={[addCandidates]}
      rowActions={{
        label: t.addThis,
        width: 100,
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
      }}
      empty={t.noCandidates}
      first={
        <Button {...refused(addHost)} onClick={() => navigate(linkTo(['hosts', 'add']))}>
          {t.add}
        </Button>
      }
    />
  )
}
