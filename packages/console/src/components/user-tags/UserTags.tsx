import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { TagEditor } from './TagEditor.tsx'

interface UserTagsProps {
  readonly resourceUuid: string
  readonly resourceType: string
  /** The list that a tag filters. */
  readonly list: readonly string[]
  readonly children?: ReactNode
}

/** The section of a record with its user tags. */
export function UserTags({ children, ...record }: UserTagsProps) {
  const t = useMessages(messages)
  return (
    <Container header={<Header variant="h2">{t.tags}</Header>}>
      <SpaceBetween size="m">
        <TagEditor {...record} />
        {children}
      </SpaceBetween>
    </Container>
  )
}
