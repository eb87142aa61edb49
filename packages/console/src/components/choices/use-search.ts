import type { SelectProps } from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { Choices } from './use-choices.ts'

/** The search text of a select, and the props that show the results of the server in it. */
export function useSearch() {
  const t = useMessages(messages)
  const [text, setText] = useState('')
  const listOf = (...all: readonly Choices<unknown>[]) => {
    const error = all.find((one) => one.error)?.error
    return {
      // filters the listed options on each keystroke; queries the server when typing pauses
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
