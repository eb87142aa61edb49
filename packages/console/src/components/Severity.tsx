import { classifySeverity } from '@wharf/contract'
import './severity.css'

/** The severity of an alert as it was sent, in the colour of its class. */
export const Severity = ({ value }: { value: string | null | undefined }) =>
  value ? (
    <span className="severity" data-severity={classifySeverity(value)}>
      {value}
    </span>
  ) : (
    <>–</>
  )
