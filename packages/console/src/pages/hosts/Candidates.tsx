import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { type AnswerOf, addHost, getCandidateMiniHosts } from '@wharf/contract'
import { go, linkTo } from '../../frame/route.ts'
import { Failure } from '../../parts/Failure.tsx'
import { Nothing } from '../../parts/Nothing.tsx'
import { useRefusal } from '../../parts/permission.ts'
import { useAnswer } from '../../wharf/answers.ts'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

type Candidate = AnswerOf<typeof getCandidateMiniHosts>['hosts'][number]

/** No event tells of a machine that begins or ends to announce itself. */
const lookMs = 5000

const addressOf = ({ ipv4Address, ipv6Address, hostName }: Candidate): string =>
  ipv4Address ?? ipv6Address ?? hostName ?? ''

export function Candidates() {
  const say = useWords(words)
  const figures = useFigures()
  const refused = useRefusal()
  const { data, error, isPending } = useAnswer(getCandidateMiniHosts, {}, { everyMs: lookMs })
  const hosts = data?.hosts ?? []
  const model = ({ manufacturer, product }: Candidate) => [manufacturer, product].filter(Boolean).join(' ') || '–'
  const add = (host: Candidate): void =>
    go(linkTo(['hosts', 'add'], { address: addressOf(host), name: host.hostName?.replace(/\.local\.?$/, '') }))
  return (
    <SpaceBetween size="m">
      {error ? <Failure error={error} /> : null}
      <Table
        variant="full-page"
        loading={isPending}
        items={hosts}
        trackBy={(host) => `${host.sn} ${addressOf(host)}`}
        header={
          <Header variant="h1" counter={data && `(${figures.number(hosts.length)})`} description={say.candidatesIntro}>
            {say.candidatesTitle}
          </Header>
        }
        columnDefinitions={[
          { id: 'hostName', header: say.name, cell: (host) => host.hostName ?? '–', isRowHeader: true },
          { id: 'ipv4', header: say.address, cell: (host) => host.ipv4Address ?? '–' },
          { id: 'ipv6', header: say.ipv6, cell: (host) => host.ipv6Address ?? '–' },
          { id: 'interface', header: say.interface, cell: (host) => host.ipv4Interface ?? host.ipv6Interface ?? '–' },
          { id: 'model', header: say.model, cell: model },
          { id: 'sn', header: say.sn, cell: (host) => host.sn ?? '–' },
          {
            id: 'add',
            header: say.addThis,
            minWidth: 100,
            cell: (host) => (
              <Button
                variant="inline-link"
                ariaLabel={say.addNamed(host.hostName ?? addressOf(host))}
                {...refused(addHost)}
                onClick={() => add(host)}
              >
                {say.addThis}
              </Button>
            ),
          },
        ]}
        empty={
          <Nothing words={say.noCandidates}>
            <Button {...refused(addHost)} onClick={() => go(linkTo(['hosts', 'add']))}>
              {say.add}
            </Button>
          </Nothing>
        }
      />
    </SpaceBetween>
  )
}
