import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import { rotateAccessKey } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../components/FormModal.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { Secret } from './secret-file.ts'

interface RotateKeyProps {
  readonly rotated: { readonly uuid?: string; readonly AccessKeyID?: string; readonly publicKey?: string | null }
  readonly onRotated: (secret: Secret | undefined) => void
  readonly onDismiss: () => void
}

const defaultHours = '24'

/** Replaces the secret or the public key. */
export function RotateKey({ rotated, onRotated, onDismiss }: RotateKeyProps) {
  const t = useMessages(messages)
  const { accessKeys } = useWharf()
  const [hours, setHours] = useState(defaultHours)
  const [publicKey, setPublicKey] = useState('')
  const { uuid = '', AccessKeyID: id = '' } = rotated
  const hasPublicKey = typeof rotated.publicKey === 'string'
  const isPeriod = /^\d{1,3}$/.test(hours) && Number(hours) <= 720
  const fields = { overlapHours: Number(hours), ...(hasPublicKey ? { publicKey } : {}) }
  const rotate = async (): Promise<void> => {
    const { inventory } = await accessKeys.rotate(uuid, fields)
    onRotated(inventory.AccessKeySecret ? { id, secret: inventory.AccessKeySecret } : undefined)
  }
  return (
    <FormModal
      title={t.rotateTitle(id)}
      action={t.rotate}
      isReady={isPeriod && (!hasPublicKey || publicKey.trim() !== '')}
      call={{ operation: rotateAccessKey, input: { uuid, ...fields } }}
      onSubmit={rotate}
      onDismiss={onDismiss}
    >
      <Box>{t.rotateConsequences}</Box>
      <FormField label={t.overlap} description={t.overlapHelp} errorText={isPeriod ? null : t.invalidOverlap}>
        <Input value={hours} inputMode="numeric" onChange={({ detail }) => setHours(detail.value)} />
      </FormField>
      {hasPublicKey ? (
        <FormField label={t.publicKey} description={t.publicKeyHelp}>
          <Textarea
            value={publicKey}
            rows={3}
            spellcheck={false}
            placeholder="-----BEGIN PUBLIC KEY-----"
            onChange={({ detail }) => setPublicKey(detail.value)}
          />
        </FormField>
      ) : null}
    </FormModal>
  )
}
