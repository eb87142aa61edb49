import { requestLeave } from '../browser/leave-guard.ts'
import { valueStore } from '../browser/value-store.ts'
import { signOut } from '../data/session.ts'
import { uploads } from '../features/uploads/use-uploads.ts'

const isConfirming = valueStore(false)

/** The uploads that a sign-out would stop. */
export const activeUploads = (): number =>
  uploads.read().filter(({ state }) => state !== 'done' && state !== 'failed').length

/** Signs out, after a confirmation if that stops uploads or loses input. */
export function requestSignOut(): void {
  requestLeave(() => (activeUploads() > 0 ? isConfirming.set(true) : signOut()))
}

export const cancelSignOut = (): void => isConfirming.set(false)

/** True while the user has to confirm that uploads stop. */
export const useIsSigningOut = isConfirming.use
