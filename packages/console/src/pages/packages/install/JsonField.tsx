import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

/** Any JSON, for what no field can ask for. It counts while it can be read. */
export function JsonField({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const say = useWords(words)
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const read = parse(text)
  return (
    <FormField errorText={text.trim() !== '' && read === undefined ? say.notValue : ''} stretch>
      <Textarea
        value={text}
        rows={4}
        spellcheck={false}
        onChange={({ detail }) => {
          setText(detail.value)
          onChange(parse(detail.value))
        }}
      />
    </FormField>
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
