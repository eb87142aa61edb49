import Spinner from '@cloudscape-design/components/spinner'
import { getChatAppEndpoint, updateChatAppEndpoint } from '@wharf/contract'
import { linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { Gone } from '../../../parts/Gone.tsx'
import { isGone } from '../../../parts/is-gone.ts'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { usePersons } from '../persons/use-persons.ts'
import { EndpointEditor } from './EndpointEditor.tsx'
import { change } from './endpoint-form.ts'
import { words } from './words.ts'

export function EditEndpoint({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const wharf = useWharf()
  const { persons, error: unread } = usePersons(uuid)
  const { data, error } = useAnswer(getChatAppEndpoint, { uuid })
  const endpoint = data?.inventories?.[0]
  if (isGone(error)) return <Gone text={say.gone} href={linkTo(['chat'])} toList={say.toList} />
  if (error ?? unread) return <Failure error={error ?? unread} />
  if (endpoint === undefined) return <Spinner size="large" />
  const { type = 'DingTalk', name = '', description, url = '', language = 'en', atAll = false } = endpoint
  const back = linkTo(['chat', uuid])
  return (
    <EndpointEditor
      title={say.editTitle(name)}
      action={say.save}
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
