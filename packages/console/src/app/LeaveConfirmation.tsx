import { cancelLeave, confirmLeave } from '../browser/leave-guard.ts'
import { Confirm } from '../components/Confirm.tsx'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** Before input that is not saved is lost. */
export function LeaveConfirmation() {
  const t = useMessages(messages)
  return (
    <Confirm
      title={t.leaveTitle}
      consequences={t.leaveConsequences}
      action={t.discardInput}
      keep={t.keepEditing}
      onConfirm={async () => confirmLeave()}
      onDismiss={cancelLeave}
    />
  )
}
