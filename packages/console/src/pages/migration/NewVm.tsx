import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { createMigrateVmInstance, queryHost } from '@wharf/contract'
import { useChoices } from '../../components/choices/use-choices.ts'
import { useSearch } from '../../components/choices/use-search.ts'
import { FormModal } from '../../components/FormModal.tsx'
import { useHostRefusal } from '../../components/permission.ts'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../components/use-optional-label.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { emptyVm, limits, type VmForm, vmInput, vmProblems } from './vm-form.ts'

export function NewVm({ onDismiss }: { onDismiss: () => void }) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const nameOf = useStatusNames()
  const format = useFormat()
  const { migration } = useWharf()
  const refused = useHostRefusal()
  const draft = useFormDraft('vm', emptyVm)
  const { form, setForm } = draft
  const { text: wanted, listOf } = useSearch()
  const hosts = useChoices(queryHost, { text: wanted, chosen: form.hostUuid })
  const problems = vmProblems(form)
  const wrong = (field: keyof VmForm): string | undefined => {
    const problem = problems[field]
    if (problem === undefined || problem === 'required') return undefined
    if (problem === 'badNetwork') return t.badNetwork
    const [from, to] = limits[field as keyof typeof limits]
    return t.badNumber(format.number(from), format.number(to))
  }
  const text = (field: keyof VmForm, label: string, { hint = '', isOptional = false, example = '' } = {}) => (
    <FormField label={isOptional ? optional(label) : label} constraintText={hint} errorText={wrong(field)}>
      <Input
        value={form[field]}
        placeholder={example}
        autoComplete="off"
        onChange={({ detail }) => setForm({ ...form, [field]: detail.value })}
      />
    </FormField>
  )
  const optionOf = ({
    uuid = '',
    name = '',
    address = '',
    state,
    status = 'Connecting',
    driver,
  }: RecordOf<typeof queryHost>) => {
    const trouble = state === 'Disabled' ? state : status === 'Connected' ? undefined : (status ?? '')
    const reason = trouble
      ? { disabled: true, disabledReason: t.hostNotConnected(nameOf(trouble)) }
      : refused({ driver })
    return { value: uuid, label: name, description: address, labelTag: status ?? '', ...reason }
  }
  return (
    <FormModal
      title={t.createTitle}
      draft={draft}
      action={t.submit}
      isReady={Object.keys(problems).length === 0}
      call={{ operation: createMigrateVmInstance, input: vmInput(form) }}
      onSubmit={() => migration.createVmInstance(vmInput(form))}
      onDismiss={onDismiss}
    >
      {text('name', t.name, { example: 'gateway-1' })}
      <FormField label={t.host} constraintText={t.hostHelp}>
        <Select
          placeholder={t.chooseHost}
          empty={t.noHosts}
          {...listOf(hosts)}
          options={hosts.records.map(optionOf)}
          selectedOption={hosts.chosen ? optionOf(hosts.chosen) : null}
          onChange={({ detail }) => setForm({ ...form, hostUuid: detail.selectedOption.value ?? '' })}
        />
      </FormField>
      {text('cpu', t.cpu)}
      {text('memoryMiB', t.memory)}
      {text('network', t.network, { hint: t.networkHelp, isOptional: true, example: 'network:default' })}
      {text('description', t.description, { isOptional: true })}
    </FormModal>
  )
}
