import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { queryHost } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import { useHostNames } from '../../../components/use-host-names.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { HostCount } from './HostCount.tsx'
import { LabelFields } from './LabelFields.tsx'
import { messages } from './messages.ts'
import { type HostChoice, selectorOf } from './rollout-form.ts'
import type { StepProps } from './step-props.ts'

const choices = ['labels', 'conditions', 'all', 'hosts'] as const satisfies readonly HostChoice[]

/** Selects hosts by labels, by conditions, all, or one by one; shows how many match. */
export function HostFields({ form, problems, showProblems, onChange }: StepProps) {
  const t = useMessages(messages)
  const { hostChoice } = form
  const problem = showProblems ? problems.hostChoice : undefined
  return (
    <SpaceBetween size="l">
      <FormField label={t.selectBy} errorText={problem ? t.problems[problem] : ''}>
        <RadioGroup
          value={hostChoice}
          items={choices.map((value) => ({ value, label: t.hostChoices[value] }))}
          onChange={({ detail }) =>
            onChange({ hostChoice: choices.find((value) => value === detail.value) ?? 'labels' })
          }
        />
      </FormField>
      {hostChoice === 'labels' ? (
        <LabelFields labels={form.labels} onChange={(labels) => onChange({ labels })} />
      ) : null}
      {hostChoice === 'conditions' ? (
        <FormField label={t.conditions} description={t.conditionsHelp} stretch>
          <Textarea
            value={form.conditions}
            rows={3}
            spellcheck={false}
            placeholder={'labels.role=web\nname~=web-%'}
            onChange={({ detail }) => onChange({ conditions: detail.value })}
          />
        </FormField>
      ) : null}
      {hostChoice === 'hosts' ? (
        <ChosenHosts hostUuids={form.hostUuids} onChange={(hostUuids) => onChange({ hostUuids })} />
      ) : (
        <HostCount conditions={selectorOf(form)} />
      )}
    </SpaceBetween>
  )
}

interface ChosenHostsProps {
  readonly hostUuids: readonly string[]
  readonly onChange: (hostUuids: readonly string[]) => void
}

function ChosenHosts({ hostUuids, onChange }: ChosenHostsProps) {
  const t = useMessages(messages)
  const names = useHostNames()
  const { text, listOf } = useSearch()
  const hosts = useChoices(queryHost, { text })
  const listed = new Map(hosts.records.map(({ uuid = '', name = '', address }) => [uuid, { name, address }]))
  return (
    <FormField label={t.chosenHosts} stretch>
      <Multiselect
        {...listOf(hosts)}
        placeholder={t.chooseHosts}
        options={[...listed].map(([value, { name, address = '' }]) => ({ value, label: name, description: address }))}
        selectedOptions={hostUuids.map((value) => ({
          value,
          label: listed.get(value)?.name ?? names.get(value) ?? value,
        }))}
        onChange={({ detail }) => onChange(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
      />
    </FormField>
  )
}
