import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { jsonIn, writtenJson } from './unreadable-json.ts'

/** Edits a value as JSON. */
export function JsonField({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(() => writtenJson(value))
  return (
    <Textarea
      value={text}
      rows={4}
      spellcheck={false}
      onChange={({ detail }) => {
        setText(detail.value)
        onChange(jsonIn(detail.value))
      }}
    />
  )
}
