import { queryDelivery } from '@wharf/contract'
import { go, linkTo } from '../../../frame/route.ts'
import { Confirm } from '../../../parts/Confirm.tsx'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useFigures } from '../../../words/figures.ts'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

interface DeleteEndpointProps {
  readonly uuid: string
  readonly name: string
  readonly persons: number
  readonly onDismiss: () => void
}

export function DeleteEndpoint({ uuid, name, persons, onDismiss }: DeleteEndpointProps) {
  const say = useWords(words)
  const figures = useFigures()
  const wharf = useWharf()
  const { data } = useAnswer(queryDelivery, { q: [`endpointUuid=${uuid}`], limit: 1, replyWithCount: true })
  return (
    <Confirm
      title={say.deleteTitle(name)}
      consequences={say.deleteMeans(figures.number(persons), figures.number(data?.total ?? 0))}
      action={say.delete}
      name={name}
      onConfirm={async () => {
        await wharf.chatEndpoints.delete(uuid)
        go(linkTo(['chat']))
      }}
      onDismiss={onDismiss}
    />
  )
}
