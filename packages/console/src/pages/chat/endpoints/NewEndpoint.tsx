import { createChatAppEndpoint } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useLanguage } from '../../../i18n/language.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { EndpointEditor } from './EndpointEditor.tsx'
import { createInput } from './endpoint-form.ts'
import { messages } from './messages.ts'

export function NewEndpoint() {
  const t = useMessages(messages)
  const wharf = useWharf()
  const { language } = useLanguage()
  return (
    <EndpointEditor
      name="endpoint"
      title={t.addTitle}
      action={t.add}
      operation={createChatAppEndpoint}
      inputOf={createInput}
      persons={[]}
      back={linkTo(['chat'])}
      initialForm={{
        type: 'DingTalk',
        name: '',
        description: '',
        url: '',
        secret: '',
        clearsSecret: false,
        language,
        atAll: false,
        platformUuids: [],
        ownEvents: [],
        ownEventTemplate: '',
        isEnabled: true,
      }}
      onSave={async (form) => {
        const { inventory } = await wharf.chatEndpoints.create(createInput(form))
        return linkTo(['chat', inventory.uuid])
      }}
    />
  )
}
