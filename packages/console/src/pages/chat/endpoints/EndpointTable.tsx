import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { chatKinds, chatLanguages, createChatAppEndpoint, queryChatAppEndpoint, resourceStates } from '@wharf/contract'
import { go, linkTo } from '../../../frame/route.ts'
import { useRefusal } from '../../../parts/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useWords } from '../../../words/words.ts'
import { DeadLetters } from '../deliveries/DeadLetters.tsx'
import { words } from './words.ts'

export function EndpointTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const refused = useRefusal()
  const columns: Column<RecordOf<typeof queryChatAppEndpoint>>[] = [
    {
      field: 'name',
      label: say.name,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['chat', uuid])}>{name}</Link>,
    },
    { field: 'type', label: say.type, choices: chatKinds },
    { field: 'state', label: say.state, choices: resourceStates, cell: ({ state }) => <Status value={state} /> },
    { field: 'atAll', label: say.atAll, choices: ['true', 'false'], cell: ({ atAll }) => (atAll ? say.yes : say.no) },
    {
      field: 'language',
      label: say.language,
      choices: chatLanguages,
      cell: ({ language = 'en' }) => say.languages[language],
    },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (one) => <When time={one.createDate} /> },
  ]
  const add = (
    <Button variant="primary" {...refused(createChatAppEndpoint)} onClick={() => go(linkTo(['chat', 'add']))}>
      {say.add}
    </Button>
  )
  return (
    <SpaceBetween size="m">
      <DeadLetters />
      <ResourceTable
        operation={queryChatAppEndpoint}
        title={say.title}
        columns={columns}
        search={search}
        path={['chat']}
        actions={add}
        empty={say.empty}
        first={add}
      />
    </SpaceBetween>
  )
}
