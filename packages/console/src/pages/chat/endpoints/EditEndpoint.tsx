import Spinner from '@cloudscape-design/components/spinner'
import { getChatAppEndpoint, updateChatAppEndpoint } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { DeletedNotice } from '../../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { recordState } from '../../../components/record-state.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { usePersons } from '../persons/use-persons.ts'
import { EndpointEditor } from './EndpointEditor.tsx'
import { updateInput } from './endpoint-form.ts'
import { messages } from './messages.ts'

export function EditEndpoint({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const { persons, error: personsError } = usePersons(uuid)
  const state = recordState(useApiQuery(getChatAppEndpoint, { uuid }))
  if (state.kind === 'missing') return <DeletedNotice text={t.notFound} href={linkTo(['chat'])} toList={t.toList} />
  if (state.kind === 'failed') return <ErrorAlert error={state.error} />
  if (personsError) return <ErrorAlert error={personsError} />
  if (state.kind === 'loading') return <Spinner size="large" />
  const endpoint = state.record
  const { type = 'DingTalk', name = '', description, url = '', language = 'en', atAll = false } = endpoint
  const back = linkTo(['chat', uuid])
  return (
    <EndpointEditor
      name={`endpoint ${uuid}`}
      title={t.editTitle(name)}
      action={t.save}
      operation={updateChatAppEndpoint}
      inputOf={(form) => ({ uuid, ...updateInput(form) })}
      persons={persons}
      shownUrl={url}
      back={back}
      initialForm={{
        type,
        name,
        description: description ?? '',
        url: '',
        secret: '',
        clearsSecret: false,
        language,
        atAll,
        platformUuids: endpoint.platformUuids ?? [],
        ownEvents: endpoint.ownEvents ?? [],
        ownEventTemplate: endpoint.ownEventTemplate ?? '',
        isEnabled: endpoint.state === 'Enabled',
      }}
      onSave={async (form) => {
        await wharf.chatEndpoints.update(uuid, updateInput(form))
        return back
      }}
    />
  )
}
