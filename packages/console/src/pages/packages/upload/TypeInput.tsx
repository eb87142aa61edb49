import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import { useWords } from '../../../words/words.ts'
import { isType } from './drafts.ts'
import { useHabits } from './places.ts'
import { words } from './words.ts'

interface TypeInputProps {
  readonly value: string
  readonly label: string
  readonly showProblem: boolean
  readonly onChange: (type: string) => void
}

/** The type of a package, with those that were used before. */
export function TypeInput({ value, label, showProblem, onChange }: TypeInputProps) {
  const say = useWords(words)
  const { types } = useHabits()
  const problem = value === '' ? say.missing.type : isType(value) ? '' : say.badType
  return (
    <FormField label={label} errorText={showProblem || value !== '' ? problem : ''} stretch>
      <Autosuggest
        value={value}
        options={types.map((type) => ({ value: type }))}
        enteredTextLabel={(text) => `${say.suggestions} ${text}`}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  )
}
