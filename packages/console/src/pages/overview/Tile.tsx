import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import type { ReactNode } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface TileProps {
  readonly title: string
  readonly counter?: string | undefined
  /** The link to the list. */
  readonly href?: string
  /** The query failed, so the content is unknown. */
  readonly error?: unknown
  readonly children: ReactNode
}

export function Tile({ title, counter, href, error, children }: TileProps) {
  const t = useMessages(messages)
  const header = (
    <Header
      variant="h2"
      {...(counter === undefined ? {} : { counter })}
      actions={
        href === undefined ? null : (
          <Link href={href} ariaLabel={`${t.all}: ${title}`}>
            {t.all}
          </Link>
        )
      }
    >
      {title}
    </Header>
  )
  return (
    <Container fitHeight header={header}>
      {error ? <ErrorAlert error={error} /> : children}
    </Container>
  )
}
