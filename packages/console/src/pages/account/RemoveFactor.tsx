import type { SecondFactorChallenge } from '@wharf/contract'
import { useState } from 'react'
import { FormModalLayout } from '../../components/FormModalLayout.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { provePasskey } from '../../features/second-factor/prove-passkey.ts'
import SecondFactorInput from '../../features/second-factor/SecondFactorInput.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface RemoveFactorProps {
  readonly title: string
  readonly hasPasskeys: boolean
  readonly remove: (secondFactor: string) => Promise<unknown>
  readonly onDismiss: () => void
}

/** Removing a factor needs one: a code, a recovery code or a passkey. */
export function RemoveFactor({ title, hasPasskeys, remove, onDismiss }: RemoveFactorProps) {
  const t = useMessages(messages)
  const { secondFactors } = useWharf()
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const attempt = async (prove: () => Promise<string>): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await remove(await prove())
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  const byPasskey = async (): Promise<string> => {
    const { options } = await secondFactors.createPasskeyChallenge({ purpose: 'prove' })
    return provePasskey(JSON.parse(options ?? '{}') as object)
  }
  // the challenge of a passkey is created when the button is used
  const challenge: SecondFactorChallenge = { factors: [], passkey: hasPasskeys ? {} : null, enrolment: null }
  return (
    <FormModalLayout
      title={title}
      action={t.remove}
      notReady={code === '' ? t.codeMissing : undefined}
      isBusy={isBusy}
      failure={failure}
      onSubmit={() => attempt(async () => code)}
      onDismiss={onDismiss}
    >
      <SecondFactorInput
        challenge={challenge}
        code={code}
        onChange={setCode}
        onPasskey={() => void attempt(byPasskey)}
      />
    </FormModalLayout>
  )
}
