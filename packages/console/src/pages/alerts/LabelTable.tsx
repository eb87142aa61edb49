import Link from '@cloudscape-design/components/link'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** Labels or annotations. They come from the sender of an alert, so only http links are rendered as links. */
export function LabelTable({ title, entries }: { title: string; entries: Readonly<Record<string, string>> }) {
  const t = useMessages(messages)
  return (
    <SectionTable
      title={title}
      records={Object.entries(entries).map(([key, value]) => ({ key, value }))}
      keyOf={({ key }) => key}
      isCompact
      columns={[
        { field: 'key', label: t.key, width: 240 },
        { field: 'value', label: t.value, cell: ({ value }) => <Shown text={value} /> },
      ]}
      empty={t.none}
    />
  )
}

const Shown = ({ text }: { text: string }) =>
  /^https?:\/\/\S+$/i.test(text) ? (
    <Link href={text} external>
      {text}
    </Link>
  ) : (
    text
  )
