import { linkTo } from '../../browser/route.ts'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

export function ClusterNotFound() {
  const t = useMessages(messages)
  return <DeletedNotice text={t.gone} href={linkTo(['clusters'])} toList={t.toList} />
}
