import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** What a step of an operation does, in the chosen language; the name of a step that this version does not know. */
export function useStepTitle(): (operation: string, step: string) => string {
  const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = useMessages(messages).titles
  return (operation, step) => titles[operation]?.[step] ?? step
}
