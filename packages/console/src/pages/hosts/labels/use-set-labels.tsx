import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type queryHost, updateHost } from '@wharf/contract'
import { useHostRefusal } from '../../../components/permission.ts'
import type { BulkAction, RecordOf } from '../../../components/ResourceTable.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { LabelFields } from './LabelFields.tsx'
import { changeInput, changeProblem, type LabelChange } from './label-form.ts'
import { messages } from './messages.ts'

const newChange: LabelChange = { rows: [{ name: '', value: '' }], removed: '' }

/** Sets and removes labels of the selected hosts. */
export function useSetLabels(): BulkAction<RecordOf<typeof queryHost>> {
  const t = useMessages(messages)
  const wharf = useWharf()
  const hostRefused = useHostRefusal()
  const draft = useFormDraft('labels of hosts', newChange, { isStored: false })
  const { form, setForm } = draft
  const problem = changeProblem(form)
  return {
    id: 'labels',
    label: t.setLabels,
    operation: updateHost,
    consequences: t.setConsequences,
    draft,
    form: (
      <SpaceBetween size="l">
        <FormField label={t.toSet} stretch>
          <LabelFields rows={form.rows} empty={t.nothingToSet} onChange={(rows) => setForm({ ...form, rows })} />
        </FormField>
        <FormField
          label={t.toRemove}
          description={t.toRemoveHelp}
          errorText={problem === 'badRemoved' || problem === 'both' ? t.problems[problem] : ''}
          stretch
        >
          <Input
            value={form.removed}
            placeholder="old, rack"
            onChange={({ detail }) => setForm({ ...form, removed: detail.value })}
          />
        </FormField>
      </SpaceBetween>
    ),
    formProblem: problem && t.problems[problem],
    problem: (host) => hostRefused(host)?.disabledReason,
    run: ({ uuid = '' }) => wharf.call(updateHost, { uuid, ...changeInput(form) }),
    inputOf: ({ uuid }) => ({ uuid, ...changeInput(form) }),
  }
}
