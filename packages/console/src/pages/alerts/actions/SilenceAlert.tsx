import { FormModal } from '../../../components/FormModal.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { useSilenceForm } from './use-silence-form.tsx'

interface SilenceAlertProps {
  readonly uuid: string
  readonly name: string
  readonly onDismiss: () => void
}

export function SilenceAlert({ uuid, name, onDismiss }: SilenceAlertProps) {
  const t = useMessages(messages)
  const { alerts } = useWharf()
  const { fields, problem, read } = useSilenceForm()
  return (
    <FormModal
      title={t.silenceTitle(name)}
      action={t.silence}
      isReady={problem === undefined}
      {...(problem !== undefined && { notReady: problem })}
      onSubmit={() => alerts.silence(uuid, read())}
      onDismiss={onDismiss}
    >
      <div>{t.silenceMeans}</div>
      {fields}
    </FormModal>
  )
}
