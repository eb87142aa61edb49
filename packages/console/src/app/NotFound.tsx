import { linkTo } from '../browser/route.ts'
import { DeletedNotice } from '../components/DeletedNotice.tsx'
import { useMessages } from '../i18n/messages.ts'
import { messages } from './messages.ts'

export function NotFound() {
  const t = useMessages(messages)
  return <DeletedNotice text={t.notFound} href={linkTo(['overview'])} toList={t.toOverview} />
}
