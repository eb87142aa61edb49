import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import { type queryDelivery, resendDelivery } from '@wharf/contract'
import { useState } from 'react'
import { Failure } from '../../../parts/Failure.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

export type Delivery = RecordOf<typeof queryDelivery>

/** The one thing that can be done with a message that was given up. */
export function Resend({ deliveries, onDone }: { deliveries: readonly Delivery[]; onDone?: () => void }) {
  const say = useWords(words)
  const wharf = useWharf()
  const refused = useRefusal()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const failed = deliveries.filter(({ status }) => status === 'Failed')
  const reason =
    deliveries.length === 0 ? say.chooseFirst : failed.length < deliveries.length ? say.onlyFailed : undefined
  const resend = async (): Promise<void> => {
    setBusy(true)
    try {
      for (const { uuid = '' } of failed) await wharf.deliveries.resend(uuid)
      onDone?.()
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
        {say.resend}
      </Button>
      {failure ? (
        <Modal visible header={say.resend} onDismiss={() => setFailure(undefined)}>
          <Failure error={failure} />
        </Modal>
      ) : null}
    </>
  )
}
