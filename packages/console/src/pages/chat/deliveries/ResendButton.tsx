import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import { type queryDelivery, resendDelivery } from '@wharf/contract'
import { useState } from 'react'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useRefusal } from '../../../components/permission.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { messages } from '../../../features/deliveries/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { resendProblem } from './resend-problem.ts'

export type Delivery = RecordOf<typeof queryDelivery>

/** Resends the selected messages; only failed ones can be resent. */
export function ResendButton({ deliveries, onDone }: { deliveries: readonly Delivery[]; onDone: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const problem = resendProblem(deliveries)
  const reason = problem && t[problem]
  const resend = async (): Promise<void> => {
    setBusy(true)
    try {
      for (const { uuid = '' } of deliveries) await wharf.deliveries.resend(uuid)
      onDone()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        iconName="redo"
        loading={isBusy}
        {...(refused(resendDelivery) ?? (reason === undefined ? {} : { disabled: true, disabledReason: reason }))}
        onClick={() => void resend()}
      >
        {t.resend}
      </Button>
      {failure ? (
        <Modal visible header={t.resend} onDismiss={() => setFailure(undefined)}>
          <ErrorAlert error={failure} />
        </Modal>
      ) : null}
    </>
  )
}
