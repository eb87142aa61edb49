import { Confirm } from '../components/Confirm.tsx'
import { signOut } from '../data/session.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { activeUploads, cancelSignOut } from './sign-out-request.ts'

export function SignOutConfirmation() {
  const t = useMessages(messages)
  return (
    <Confirm
      title={t.signOutTitle}
      consequences={t.signOutConsequences(activeUploads())}
      action={t.signOut}
      keep={t.stay}
      onConfirm={async () => signOut()}
      onDismiss={cancelSignOut}
    />
  )
}
