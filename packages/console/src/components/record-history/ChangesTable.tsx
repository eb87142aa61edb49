import type { AuditChanges } from '@wharf/contract'
import { useMessages } from '../../i18n/use-messages.ts'
import { SectionTable } from '../table/SectionTable.tsx'
import { changeRows } from './change-rows.ts'
import { messages } from './messages.ts'
import './changes.css'

/** Every changed field of an entry, before and after. */
export function ChangesTable({ changes }: { changes: AuditChanges | undefined }) {
  const t = useMessages(messages)
  return (
    <SectionTable
      title={t.changes}
      records={changeRows(changes)}
      keyOf={({ field }) => field}
      isCompact
      columns={[
        { field: 'field', label: t.field, width: 220 },
        { field: 'before', label: t.before, cell: ({ before }) => <Value text={before} /> },
        { field: 'after', label: t.after, cell: ({ after }) => <Value text={after} /> },
      ]}
      empty={t.noChanges}
    />
  )
}

const Value = ({ text }: { text: string | undefined }) => <span className="change-value">{text ?? '–'}</span>
