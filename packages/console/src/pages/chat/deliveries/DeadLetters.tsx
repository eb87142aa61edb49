import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { queryDelivery } from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { messages } from '../../../features/deliveries/messages.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'

const failed = { q: ['status=Failed'], limit: 1, replyWithCount: true }

/** A warning about failed messages above the endpoints. */
export function DeadLetters() {
  const t = useMessages(messages)
  const format = useFormat()
  const { data } = useApiQuery(queryDelivery, failed)
  const count = data?.total ?? 0
  if (count === 0) return null
  return (
    <Alert
      type="warning"
      action={
        <Button onClick={() => navigate(linkTo(['chat', 'deliveries'], { q: 'status=Failed' }))}>{t.showFailed}</Button>
      }
    >
      {t.failedCount(format.number(count))}
    </Alert>
  )
}
