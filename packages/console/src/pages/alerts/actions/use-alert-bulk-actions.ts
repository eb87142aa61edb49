import { acknowledgeThirdpartyAlert, silenceThirdpartyAlert } from '@wharf/contract'
import type { BulkAction } from '../../../components/ResourceTable.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { Alert } from './alert-state.ts'
import { messages } from './messages.ts'
import { newSilence, useSilenceForm } from './use-silence-form.tsx'

/** What a user can do with the selected alerts. */
export function useAlertBulkActions(): BulkAction<Alert>[] {
  const t = useMessages(messages)
  const { alerts } = useWharf()
  const draft = useFormDraft('silence of alerts', newSilence, { isStored: false })
  const { fields, problem, read } = useSilenceForm(draft.form, draft.setForm)
  return [
    {
      id: 'acknowledge',
      label: t.acknowledge,
      operation: acknowledgeThirdpartyAlert,
      consequences: t.acknowledgeConsequences,
      problem: ({ status }) => (status === 'resolved' ? t.isResolved : undefined),
      run: ({ uuid = '' }) => alerts.acknowledge(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
    {
      id: 'silence',
      label: t.silence,
      operation: silenceThirdpartyAlert,
      consequences: t.silenceConsequences,
      form: fields,
      draft,
      formProblem: problem,
      run: ({ uuid = '' }) => alerts.silence(uuid, read()),
      inputOf: ({ uuid }) => ({ uuid, ...read() }),
    },
  ]
}
