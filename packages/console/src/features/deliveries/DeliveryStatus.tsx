import { Status } from '../../components/Status.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function DeliveryStatus({ status }: { status: string | undefined }) {
  const t = useMessages(messages)
  return <Status value={status} name={status === 'Failed' ? t.failed : undefined} />
}
