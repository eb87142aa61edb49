import type { Call } from '../../../calls/call-context.ts'
import type { HashClient } from '../passwords.ts'

/** Of a caller who is signed in. */
export const clientOf = ({ caller, disconnectSignal }: Pick<Call, 'caller' | 'disconnectSignal'>): HashClient => ({
  isPreferred: true,
  share: caller.userUuid,
  disconnectSignal,
})
