import Alert from '@cloudscape-design/components/alert'
import type { Refusal } from './permission.ts'

/** Above a form that the reader may look at, but not send. Nothing for whoever may. */
export const NotAllowed = ({ refusal }: { refusal: Refusal | undefined }) =>
  refusal ? <Alert type="info">{refusal.disabledReason}</Alert> : null
