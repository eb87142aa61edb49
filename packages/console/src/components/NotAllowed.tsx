import Alert from '@cloudscape-design/components/alert'
import type { Refusal } from './permission.ts'

/** Explains above a form why the user's role may not submit it. */
export const NotAllowed = ({ refusal }: { refusal: Refusal | undefined }) =>
  refusal ? <Alert type="info">{refusal.disabledReason}</Alert> : null
