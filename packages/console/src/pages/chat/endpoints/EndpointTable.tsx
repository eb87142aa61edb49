import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  chatKinds,
  chatLanguages,
  createChatAppEndpoint,
  deleteChatAppEndpoint,
  queryChatAppEndpoint,
  resourceStates,
  updateChatAppEndpoint,
} from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { useRefusal } from '../../../components/permission.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { type BulkAction, type Column, type RecordOf, ResourceTable } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { useStateActions } from '../../../components/table/bulk/use-state-actions.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { messages as eventMessages } from '../../../features/system-events/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { DeadLetters } from '../deliveries/DeadLetters.tsx'
import { messages } from './messages.ts'

type Endpoint = RecordOf<typeof queryChatAppEndpoint>

export function EndpointTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const { chatEndpoints } = useWharf()
  const { events } = useMessages(eventMessages)
  const refused = useRefusal()
  const stateActions = useStateActions<Endpoint>({
    operation: updateChatAppEndpoint,
    enableConsequences: t.enableConsequences,
    disableConsequences: t.disableConsequences,
    change: ({ uuid = '' }, stateEvent) => chatEndpoints.update(uuid, { stateEvent }),
  })
  const remove: BulkAction<Endpoint> = {
    id: 'delete',
    label: t.delete,
    operation: deleteChatAppEndpoint,
    consequences: t.bulkDeleteConsequences,
    run: ({ uuid = '' }) => chatEndpoints.delete(uuid),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const columns: Column<Endpoint>[] = [
    {
      field: 'name',
      label: t.name,
      width: 180,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['chat', uuid])}>{name}</Link>,
    },
    { field: 'type', label: t.type, width: 160, choices: chatKinds },
    {
      field: 'state',
      label: t.state,
      width: 130,
      choices: resourceStates,
      cell: ({ state }) => <Status value={state} />,
    },
    {
      field: 'atAll',
      label: t.atAll,
      choices: ['true', 'false'],
      width: 205,
      cell: ({ atAll }) => (atAll ? t.yes : t.no),
    },
    {
      field: 'language',
      label: t.language,
      choices: chatLanguages,
      width: 145,
      cell: ({ language = 'en' }) => t.languages[language],
    },
    {
      field: 'ownEvents',
      label: t.ownEvents,
      cell: ({ ownEvents = [] }) => ownEvents.map((event) => events[event].name).join(', ') || '–',
      text: ({ ownEvents = [] }) => ownEvents.map((event) => events[event].name).join(', '),
      isOptional: true,
    },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      width: 175,
      cell: (one) => <RelativeTime time={one.createDate} />,
    },
  ]
  const add = (
    <Button variant="primary" {...refused(createChatAppEndpoint)} onClick={() => navigate(linkTo(['chat', 'add']))}>
      {t.add}
    </Button>
  )
  return (
    <SpaceBetween size="m">
      <DeadLetters />
      <ResourceTable
        operation={queryChatAppEndpoint}
        title={t.title}
        columns={columns}
        search={search}
        path={['chat']}
        bulkActions={[...stateActions, remove]}
        hasTags
        actions={add}
        empty={t.empty}
        first={add}
      />
    </SpaceBetween>
  )
}
