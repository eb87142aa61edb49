import { useMessages } from '../../i18n/use-messages.ts'
import type { Choice } from '../choice-labels.ts'
import { messages } from './messages.ts'
import { statusName } from './status-name.ts'

/** Returns the name of a status or state of the API in the chosen language. */
export function useStatusNames(): (status: string) => string {
  const names = useMessages(messages)
  return (status) => statusName(names, status)
}

/** The choices of a filter by status: the values of the API with their names. */
export function useStatusChoices(statuses: readonly string[]): readonly Choice[] {
  const nameOf = useStatusNames()
  return statuses.map((value) => ({ value, label: nameOf(value) }))
}
