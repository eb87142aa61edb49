import Autosuggest from '@cloudscape-design/components/autosuggest'
import Button from '@cloudscape-design/components/button'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { queryHost } from '@wharf/contract'
import { knownLabels } from '../../../components/known-labels.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { hasValue, type LabelCondition, labelOperators } from './label-conditions.ts'
import { messages } from './messages.ts'
import './wizard.css'

/** The labels of the first hosts are suggested; any other can be entered. */
const suggesting = { fields: ['uuid', 'labels'], limit: 1000, sort: '+name' }

interface LabelFieldsProps {
  readonly labels: readonly LabelCondition[]
  readonly onChange: (labels: readonly LabelCondition[]) => void
}

/** Conditions on labels; a host must match all of them. */
export function LabelFields({ labels, onChange }: LabelFieldsProps) {
  const t = useMessages(messages)
  const { data } = useApiQuery(queryHost, suggesting)
  const known = knownLabels(data?.inventories ?? [])
  const operators = labelOperators.map((value) => ({ value, label: t.labelOperators[value] }))
  const change = (index: number, next: Partial<LabelCondition>): void =>
    onChange(labels.map((one, at) => (at === index ? { ...one, ...next } : one)))
  return (
    <SpaceBetween size="s">
      {labels.map(({ name, operator, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a condition is known by
        <div key={index} className="label-condition">
          <Autosuggest
            ariaLabel={t.labelName(index + 1)}
            placeholder={t.label}
            value={name}
            options={[...known.keys()].map((option) => ({ value: option }))}
            enteredTextLabel={(text) => text}
            hideEnteredTextOption
            onChange={({ detail }) => change(index, { name: detail.value })}
          />
          <Select
            ariaLabel={t.labelOperator(index + 1)}
            options={operators}
            selectedOption={operators.find((one) => one.value === operator) ?? null}
            onChange={({ detail }) =>
              change(index, { operator: labelOperators.find((one) => one === detail.selectedOption.value) ?? '=' })
            }
          />
          {hasValue(operator) ? (
            <Autosuggest
              ariaLabel={t.labelValue(index + 1)}
              placeholder={operator === '?=' ? t.valueList : t.value}
              value={value}
              options={(known.get(name) ?? []).map((option) => ({ value: option }))}
              enteredTextLabel={(text) => text}
              hideEnteredTextOption
              onChange={({ detail }) => change(index, { value: detail.value })}
            />
          ) : (
            <span />
          )}
          <Button
            iconName="remove"
            variant="icon"
            formAction="none"
            ariaLabel={t.removeLabel(index + 1)}
            onClick={() => onChange(labels.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        iconName="add-plus"
        formAction="none"
        onClick={() => onChange([...labels, { name: '', operator: '=', value: '' }])}
      >
        {t.addLabel}
      </Button>
    </SpaceBetween>
  )
}
