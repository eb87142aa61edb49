import type { AuditChanges } from '@wharf/contract'
import { useMessages } from '../../i18n/use-messages.ts'
import { changeRows } from './change-rows.ts'
import { messages } from './messages.ts'
import './changes.css'

/** A new record has more fields than a row has space for; the page of the entry has all of them. */
const maxRows = 5

/** The first changes of an entry, one per line. */
export function ChangeSummary({ changes }: { changes: AuditChanges | undefined }) {
  const t = useMessages(messages)
  const rows = changeRows(changes)
  if (rows.length === 0) return '–'
  const hidden = rows.length - maxRows
  return (
    <ul className="change-summary">
      {rows.slice(0, maxRows).map(({ field, before = t.none, after = t.none }) => (
        <li key={field}>{t.changed(field, before, after)}</li>
      ))}
      {hidden > 0 ? <li>{t.more(hidden)}</li> : null}
    </ul>
  )
}
