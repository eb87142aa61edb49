import Button from '@cloudscape-design/components/button'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/use-messages.ts'
import { EmptyState } from '../EmptyState.tsx'
import { messages } from './messages.ts'

interface ListEmptyProps {
  readonly empty: string
  readonly first?: ReactNode
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** There are no records, or none that match the filter. */
export function ListEmpty({ empty, first, isFiltered, onClear }: ListEmptyProps) {
  const t = useMessages(messages)
  if (!isFiltered) return <EmptyState text={empty}>{first}</EmptyState>
  return (
    <EmptyState text={t.noMatch}>
      <Button onClick={onClear}>{t.clearFilter}</Button>
    </EmptyState>
  )
}
