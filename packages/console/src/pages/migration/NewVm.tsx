import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { queryHost } from '@wharf/contract'
import { useState } from 'react'
import { useChoices } from '../../parts/choices/use-choices.ts'
import { useSearch } from '../../parts/choices/use-search.ts'
import { FormModal } from '../../parts/FormModal.tsx'
import { useHostRefusal } from '../../parts/permission.ts'
import type { RecordOf } from '../../parts/ResourceTable.tsx'
import { useWharf } from '../../wharf/wharf.tsx'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { emptyVm, limits, type VmForm, vmInput, vmProblems } from './vm-form.ts'
import { words } from './words.ts'

export function NewVm({ onDismiss }: { onDismiss: () => void }) {
  const say = useWords(words)
  const figures = useFigures()
  const { migration } = useWharf()
  const refused = useHostRefusal()
  const [form, setForm] = useState(emptyVm)
  const { text: wanted, listOf } = useSearch()
  const hosts = useChoices(queryHost, { text: wanted, chosen: form.hostUuid })
  const problems = vmProblems(form)
  const wrong = (field: keyof VmForm): string | undefined => {
    const problem = problems[field]
    if (problem === undefined || problem === 'needed') return undefined
    if (problem === 'badNetwork') return say.badNetwork
    const [from, to] = limits[field as keyof typeof limits]
    return say.badNumber(figures.number(from), figures.number(to))
  }
  const text = (field: keyof VmForm, label: string, { means = '', isOptional = false, example = '' } = {}) => (
    <FormField
      label={isOptional ? `${label} – ${say.optional}` : label}
      constraintText={means}
      errorText={wrong(field)}
    >
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
    const reason = trouble ? { disabled: true, disabledReason: say.hostNotConnected(trouble) } : refused({ driver })
    return { value: uuid, label: name, description: address, labelTag: status ?? '', ...reason }
  }
  return (
    <FormModal
      title={say.createTitle}
      action={say.make}
      isReady={Object.keys(problems).length === 0}
      onSubmit={() => migration.createVmInstance(vmInput(form))}
      onDismiss={onDismiss}
    >
      {text('name', say.name, { example: 'gateway-1' })}
      <FormField label={say.host} constraintText={say.hostMeans}>
        <Select
          placeholder={say.chooseHost}
          empty={say.noHosts}
          {...listOf(hosts)}
          options={hosts.records.map(optionOf)}
          selectedOption={hosts.chosen ? optionOf(hosts.chosen) : null}
          onChange={({ detail }) => setForm({ ...form, hostUuid: detail.selectedOption.value ?? '' })}
        />
      </FormField>
      {text('cpu', say.cpu)}
      {text('memoryMiB', say.memory)}
      {text('network', say.network, { means: say.networkMeans, isOptional: true, example: 'network:default' })}
      {text('description', say.description, { isOptional: true })}
    </FormModal>
  )
}
