import { deleteChatAppEndpoint, queryDelivery } from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface DeleteEndpointProps {
  readonly uuid: string
  readonly name: string
  readonly persons: number
  readonly onDismiss: () => void
}

export function DeleteEndpoint({ uuid, name, persons, onDismiss }: DeleteEndpointProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const wharf = useWharf()
  const { data } = useApiQuery(queryDelivery, { q: [`endpointUuid=${uuid}`], limit: 1, replyWithCount: true })
  return (
    <Confirm
      title={t.deleteTitle(name)}
      consequences={t.deleteConsequences(format.number(persons), format.number(data?.total ?? 0))}
      action={t.delete}
      name={name}
      call={{ operation: deleteChatAppEndpoint, input: { uuid } }}
      onConfirm={async () => {
        await wharf.chatEndpoints.delete(uuid)
        navigate(linkTo(['chat']))
      }}
      onDismiss={onDismiss}
    />
  )
}
