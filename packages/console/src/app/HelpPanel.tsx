import CloudscapeHelp from '@cloudscape-design/components/help-panel'
import Input from '@cloudscape-design/components/input'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { getElaborations } from '@wharf/contract'
import { useState } from 'react'
import { Elaborations } from '../components/Elaborations.tsx'
import { elaborationQuery } from '../components/elaboration-query.ts'
import { useApiQuery } from '../data/api-query.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { documentLink } from '../pages/documents/document-link.ts'
import { headingId } from '../pages/documents/heading-id.ts'
import { messages as documentMessages } from '../pages/documents/messages.ts'
import { helpDocuments } from './help-documents.ts'
import { helpMessages } from './help-messages.ts'
import { messages } from './messages.ts'
import { helpCategories, type PageName } from './pages.ts'

export function HelpPanel({ page, isOpen }: { page: string; isOpen: boolean }) {
  const t = useMessages(messages)
  const about = useMessages(helpMessages)[page as PageName]
  const { titles } = useMessages(documentMessages)
  const places = helpDocuments[page as PageName] ?? helpDocuments.overview
  const [text, setText] = useState('')
  const searchText = text.trim()
  const input =
    searchText === '' ? { category: helpCategories[page as PageName] ?? 'SYS' } : elaborationQuery(searchText)
  const { data, error, isPending } = useApiQuery(getElaborations, input, { enabled: isOpen })
  return (
    <CloudscapeHelp
      header={<h2>{t.help}</h2>}
      footer={
        <Link external href="./docs">
          {t.pages.reference}
        </Link>
      }
    >
      <SpaceBetween size="m">
        {about === undefined ? null : <p>{about}</p>}
        <ul>
          {places.map(([name, heading]) => (
            <li key={`${name} ${heading}`}>
              <Link href={documentLink(name, heading && headingId(heading))}>
                {[titles[name], heading].filter(Boolean).join(' – ')}
              </Link>
            </li>
          ))}
        </ul>
        <h3>{t.explainError}</h3>
        <p>{t.helpIntro}</p>
        <Input type="search" value={text} ariaLabel={t.explainError} onChange={({ detail }) => setText(detail.value)} />
        {isPending && isOpen ? <Spinner /> : null}
        {data || error ? (
          <Elaborations contents={data?.contents ?? []} isOfText={'regex' in input} error={error} />
        ) : null}
      </SpaceBetween>
    </CloudscapeHelp>
  )
}
