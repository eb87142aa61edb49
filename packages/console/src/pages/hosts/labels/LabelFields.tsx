import AttributeEditor from '@cloudscape-design/components/attribute-editor'
import Input from '@cloudscape-design/components/input'
import { maxLabels } from '@wharf/contract'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type LabelRow, problemsOf } from './label-form.ts'
import { messages } from './messages.ts'

interface LabelFieldsProps {
  readonly rows: readonly LabelRow[]
  readonly empty: string
  readonly onChange: (rows: readonly LabelRow[]) => void
}

/** Edits labels as rows of name and value. */
export function LabelFields({ rows, empty, onChange }: LabelFieldsProps) {
  const t = useMessages(messages)
  const problems = problemsOf(rows)
  const change = (index: number, part: Partial<LabelRow>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <AttributeEditor<LabelRow>
      items={rows}
      empty={empty}
      addButtonText={t.add}
      removeButtonText={t.remove}
      removeButtonAriaLabel={({ name }) => t.removeNamed(name)}
      disableAddButton={rows.length >= maxLabels}
      additionalInfo={t.rule}
      onAddButtonClick={() => onChange([...rows, { name: '', value: '' }])}
      onRemoveButtonClick={({ detail }) => onChange(rows.filter((_, index) => index !== detail.itemIndex))}
      definition={[
        {
          label: t.name,
          control: ({ name }, index) => (
            <Input value={name} placeholder="zone" onChange={({ detail }) => change(index, { name: detail.value })} />
          ),
          errorText: (_, index) => {
            const problem = problems[index]?.name
            // a name that is missing is marked once its value is entered
            return problem && t.problems[problem]
          },
        },
        {
          label: t.value,
          control: ({ value }, index) => (
            <Input value={value} placeholder="a" onChange={({ detail }) => change(index, { value: detail.value })} />
          ),
          errorText: (_, index) => problems[index]?.value && t.problems.tooLong,
        },
      ]}
    />
  )
}
