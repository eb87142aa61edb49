import { useMessages } from '../../i18n/use-messages.ts'
import { statusName } from '../statuses/status-name.ts'
import { messages } from './messages.ts'

/** Returns the name of a type of records in the chosen language; a type that a newer server has added is shown as it is. */
export function useTypeNames(): (type: string) => string {
  const names = useMessages(messages)
  return (type) => statusName(names, type)
}
