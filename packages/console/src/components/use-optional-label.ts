import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The label of a field that may stay empty. */
export function useOptionalLabel(): (label: string) => string {
  const { optional } = useMessages(messages)
  return (label) => `${label} – ${optional}`
}
