import { classifySeverity } from '@wharf/contract'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'
import './severity.css'

/** The severity of an alert in the colour of its class; one without a name in the language of the user as it was sent. */
export function Severity({ value }: { value: string | null | undefined }) {
  const names: Readonly<Record<string, string>> = useMessages(messages).severities
  return value ? (
    <span className="severity" data-severity={classifySeverity(value)}>
      {Object.hasOwn(names, value) ? names[value] : value}
    </span>
  ) : (
    <>–</>
  )
}
