import { createChatAppEndpoint } from '@wharf/contract'
import { linkTo } from '../../../frame/route.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useLanguage } from '../../../words/language.tsx'
import { useWords } from '../../../words/words.ts'
import { EndpointEditor } from './EndpointEditor.tsx'
import { creation } from './endpoint-form.ts'
import { words } from './words.ts'

export function NewEndpoint() {
  const say = useWords(words)
  const wharf = useWharf()
  const { language } = useLanguage()
  return (
    <EndpointEditor
      title={say.addTitle}
      action={say.add}
      operation={createChatAppEndpoint}
      persons={[]}
      back={linkTo(['chat'])}
      begin={{
        type: 'DingTalk',
        name: '',
        description: '',
        url: '',
        secret: '',
        forgetsSecret: false,
        language,
        atAll: false,
        platformUuids: [],
        isEnabled: true,
      }}
      onSave={async (form) => {
        const { inventory } = await wharf.chatEndpoints.create(creation(form))
        return linkTo(['chat', inventory.uuid])
      }}
    />
  )
}
