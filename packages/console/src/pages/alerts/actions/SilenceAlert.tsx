import { silenceThirdpartyAlert } from '@wharf/contract'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { newSilence, useSilenceForm } from './use-silence-form.tsx'

interface SilenceAlertProps {
  readonly uuid: string
  readonly name: string
  readonly onDismiss: () => void
}

export function SilenceAlert({ uuid, name, onDismiss }: SilenceAlertProps) {
  const t = useMessages(messages)
  const { alerts } = useWharf()
  const draft = useFormDraft(`silence ${uuid}`, newSilence)
  const { fields, problem, read } = useSilenceForm(draft.form, draft.setForm)
  return (
    <FormModal
      title={t.silenceTitle(name)}
      action={t.silence}
      draft={draft}
      isReady={problem === undefined}
      {...(problem !== undefined && { notReady: problem })}
      call={{ operation: silenceThirdpartyAlert, input: { uuid, ...read() } }}
      onSubmit={() => alerts.silence(uuid, read())}
      onDismiss={onDismiss}
    >
      <div>{t.silenceConsequences}</div>
      {fields}
    </FormModal>
  )
}
