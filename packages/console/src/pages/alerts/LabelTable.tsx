import Box from '@cloudscape-design/components/box'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import Table from '@cloudscape-design/components/table'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** Labels or annotations. They come from the sender of an alert, so only http links are rendered as links. */
export function LabelTable({ title, entries }: { title: string; entries: Readonly<Record<string, string>> }) {
  const t = useMessages(messages)
  const items = Object.entries(entries).map(([key, value]) => ({ key, value }))
  return (
    <Table
      items={items}
      trackBy="key"
      variant="container"
      wrapLines
      contentDensity="compact"
      header={
        <Header variant="h2" counter={`(${items.length})`}>
          {title}
        </Header>
      }
      columnDefinitions={[
        { id: 'key', header: t.key, cell: ({ key }) => key, isRowHeader: true, width: '30%' },
        { id: 'value', header: t.value, cell: ({ value }) => <Shown text={value} /> },
      ]}
      empty={<Box textAlign="center">{t.none}</Box>}
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
