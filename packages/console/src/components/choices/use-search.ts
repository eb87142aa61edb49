import type { SelectProps } from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import type { Choices } from './use-choices.ts'

/** What is typed into an open list, and what such a list needs to show what the server found for it. */
export function useSearch() {
  const t = useMessages(messages)
  const [text, setText] = useState('')
  const listOf = (...all: readonly Choices<unknown>[]) => {
    const error = all.find((one) => one.error)?.error
    return {
      // with every letter among those that are listed; the server is asked when the typing rests
      filteringType: 'auto',
      onLoadItems: ({ detail }) => setText(detail.filteringText),
      statusType: error ? 'error' : all.some(({ isPending }) => isPending) ? 'loading' : 'finished',
      errorText: error?.message ?? '',
      loadingText: t.loading,
      finishedText: all.some(({ hasMore }) => hasMore) ? t.typeToFind : '',
      filteringPlaceholder: t.search,
      filteringAriaLabel: t.search,
    } satisfies Partial<SelectProps>
  }
  return { text, listOf }
}
