import Spinner from '@cloudscape-design/components/spinner'
import { getChatAppEndpoint, updateChatAppEndpoint } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { DeletedNotice } from '../../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { isNotFound } from '../../../components/is-not-found.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/messages.ts'
import { usePersons } from '../persons/use-persons.ts'
import { EndpointEditor } from './EndpointEditor.tsx'
import { change } from './endpoint-form.ts'
import { messages } from './messages.ts'

export function EditEndpoint({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const { persons, error: unread } = usePersons(uuid)
  const { data, error } = useApiQuery(getChatAppEndpoint, { uuid })
  const endpoint = data?.inventories?.[0]
  if (isNotFound(error)) return <DeletedNotice text={t.gone} href={linkTo(['chat'])} toList={t.toList} />
  if (error ?? unread) return <ErrorAlert error={error ?? unread} />
  if (endpoint === undefined) return <Spinner size="large" />
  const { type = 'DingTalk', name = '', description, url = '', language = 'en', atAll = false } = endpoint
  const back = linkTo(['chat', uuid])
  return (
    <EndpointEditor
      title={t.editTitle(name)}
      action={t.save}
      operation={updateChatAppEndpoint}
      persons={persons}
      shownUrl={url}
      back={back}
      begin={{
        type,
        name,
        description: description ?? '',
        url: '',
        secret: '',
        forgetsSecret: false,
        language,
        atAll,
        platformUuids: endpoint.platformUuids ?? [],
        isEnabled: endpoint.state === 'Enabled',
      }}
      onSave={async (form) => {
        await wharf.chatEndpoints.update(uuid, change(form))
        return back
      }}
    />
  )
}
