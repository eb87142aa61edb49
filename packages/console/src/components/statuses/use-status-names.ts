import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { statusName } from './status-name.ts'

/** Returns the name of a status or state of the API in the chosen language. */
export function useStatusNames(): (status: string) => string {
  const names = useMessages(messages)
  return (status) => statusName(names, status)
}
