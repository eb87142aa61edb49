import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import Spinner from '@cloudscape-design/components/spinner'
import TextContent from '@cloudscape-design/components/text-content'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { Blocks } from './Blocks.tsx'
import { loadDocument } from './load-document.ts'
import { parseMarkdown } from './markdown.ts'
import { type DocumentName, messages } from './messages.ts'
import './documents.css'

interface DocumentProps {
  readonly name: DocumentName
  /** The id of the heading to show. */
  readonly section: string | undefined
}

export function Document({ name, section }: DocumentProps) {
  const t = useMessages(messages)
  const { data, error } = useQuery({
    queryKey: ['document', name],
    queryFn: async () => parseMarkdown(await loadDocument(name)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (data === undefined || section === undefined) return
    // after the page has moved the focus to its h1
    const frame = requestAnimationFrame(() => focusOn(section))
    return () => cancelAnimationFrame(frame)
  }, [data, section])
  if (error) return <ErrorAlert error={error} />
  if (data === undefined) return <Spinner size="large" />
  // the first block is the title
  const [, ...blocks] = data
  return (
    <ContentLayout header={<Header variant="h1">{t.titles[name]}</Header>}>
      <Container>
        <div className="document" lang="en">
          <TextContent>
            <Blocks blocks={blocks} documentName={name} />
          </TextContent>
        </div>
      </Container>
    </ContentLayout>
  )
}

function focusOn(id: string): void {
  const heading = document.getElementById(id)
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus()
  heading.scrollIntoView()
}
