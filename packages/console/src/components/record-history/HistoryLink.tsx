import Link from '@cloudscape-design/components/link'
import { usePath } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { historyLinkOfPage } from './record-link.ts'
import { useCanReadAudit } from './use-can-read-audit.ts'

/** The history of the record of this page, which outlives the record. */
export function HistoryLink() {
  const t = useMessages(messages)
  const href = historyLinkOfPage(usePath())
  return useCanReadAudit() && href ? <Link href={href}>{t.history}</Link> : null
}
