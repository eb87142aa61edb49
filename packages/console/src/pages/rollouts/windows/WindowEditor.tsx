import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import { createMaintenanceWindow, type queryMaintenanceWindow, updateMaintenanceWindow } from '@wharf/contract'
import { FormModal } from '../../../components/FormModal.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { NextOpening } from './NextOpening.tsx'
import { formOf, newWindow, problemsOf, type WindowForm, windowInput } from './window-form.ts'

export type WindowRecord = Required<RecordOf<typeof queryMaintenanceWindow>>

interface WindowEditorProps {
  /** Undefined for a new one. */
  readonly window?: WindowRecord
  readonly onDismiss: () => void
}

const shownOpenings = 3

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value }))
const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function WindowEditor({ window, onDismiss }: WindowEditorProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { maintenanceWindows } = useWharf()
  const initial = window ? formOf(window) : newWindow(ownZone())
  const draft = useFormDraft<WindowForm>(`window ${window?.uuid ?? ''}`, initial)
  const { form, setForm } = draft
  const problems = problemsOf(form)
  const set = (change: Partial<WindowForm>): void => setForm((before) => ({ ...before, ...change }))
  const problemText = (field: keyof WindowForm): string => {
    const problem = problems[field]
    // an empty field is not an error before it was filled in
    return problem === undefined || form[field].trim() === '' ? '' : t.problems[problem]
  }
  const input = windowInput(form)
  const call = window
    ? { operation: updateMaintenanceWindow, input: { uuid: window.uuid, ...input } }
    : { operation: createMaintenanceWindow, input }
  return (
    <FormModal
      title={window ? t.editWindow(window.name) : t.create}
      draft={draft}
      action={window ? t.save : t.create}
      isReady={Object.keys(problems).length === 0}
      call={call}
      onSubmit={() => (window ? maintenanceWindows.update(window.uuid, input) : maintenanceWindows.create(input))}
      onDismiss={onDismiss}
    >
      <FormField label={t.name} stretch>
        <Input value={form.name} onChange={({ detail }) => set({ name: detail.value })} />
      </FormField>
      <FormField
        label={t.cron}
        description={t.cronHelp}
        constraintText={
          <>
            {t.next}: <NextOpening cron={form.cron} timeZone={form.timeZone} count={shownOpenings} />
          </>
        }
        errorText={problemText('cron')}
        stretch
      >
        <Input value={form.cron} spellcheck={false} onChange={({ detail }) => set({ cron: detail.value })} />
      </FormField>
      <FormField label={t.timeZone} description={t.timeZoneHelp} errorText={problemText('timeZone')} stretch>
        <Autosuggest
          value={form.timeZone}
          options={zones}
          enteredTextLabel={(text) => text}
          hideEnteredTextOption
          empty={t.problems.timeZone}
          onChange={({ detail }) => set({ timeZone: detail.value })}
        />
      </FormField>
      <FormField label={t.durationMinutes} errorText={problemText('durationMinutes')}>
        <Input
          type="number"
          inputMode="numeric"
          value={form.durationMinutes}
          onChange={({ detail }) => set({ durationMinutes: detail.value })}
        />
      </FormField>
      <FormField label={t.cutoffMinutes} description={t.cutoffHelp} errorText={problemText('cutoffMinutes')}>
        <Input
          type="number"
          inputMode="numeric"
          value={form.cutoffMinutes}
          onChange={({ detail }) => set({ cutoffMinutes: detail.value })}
        />
      </FormField>
      <FormField label={optional(t.hosts)} description={t.hostsHelp} stretch>
        <Textarea
          value={form.selector}
          rows={2}
          spellcheck={false}
          placeholder="labels.role=web"
          onChange={({ detail }) => set({ selector: detail.value })}
        />
      </FormField>
    </FormModal>
  )
}
