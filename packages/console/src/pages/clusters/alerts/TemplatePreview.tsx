import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ChatKind, chatKinds } from '@wharf/contract'
import { useState } from 'react'
import { Failure } from '../../../parts/Failure.tsx'
import { useLanguage } from '../../../words/language.tsx'
import { useWords } from '../../../words/words.ts'
import { ChatMessage } from '../../chat/preview/ChatMessage.tsx'
import { type Example, examples } from '../../chat/preview/examples.ts'
import { words as chatWords } from '../../chat/preview/words.ts'
import { words } from './words.ts'

const kinds = chatKinds.map((value) => ({ value, label: value }))
const shown = ['critical', 'warning', 'resolved'] as const satisfies readonly Example[]

export type ShownExample = (typeof shown)[number]

interface TemplatePreviewProps {
  readonly example: ShownExample
  readonly text: string
  readonly error: unknown
  readonly onExample: (example: ShownExample) => void
}

/** What a template makes of an alert that begins or is over, about as a chat shows it. */
export function TemplatePreview({ example, text, error, onExample }: TemplatePreviewProps) {
  const say = useWords(words)
  const chat = useWords(chatWords)
  const { language } = useLanguage()
  const [type, setType] = useState<ChatKind>('DingTalk')
  const { severity, title } = examples[example]
  return (
    <SpaceBetween size="s">
      <FormField label={say.preview}>
        <SegmentedControl
          label={chat.example}
          selectedId={example}
          options={shown.map((id) => ({ id, text: chat[id] }))}
          onChange={({ detail }) => onExample(shown.find((id) => id === detail.selectedId) ?? 'critical')}
        />
      </FormField>
      <Select
        ariaLabel={say.shownBy}
        options={kinds}
        selectedOption={kinds.find(({ value }) => value === type) ?? null}
        onChange={({ detail }) => setType(detail.selectedOption.value as ChatKind)}
      />
      <div aria-live="polite">
        {error ? (
          <Failure error={error} />
        ) : (
          <ChatMessage message={{ title, text, severity }} audience={{ type, language, atAll: false, persons: [] }} />
        )}
      </div>
    </SpaceBetween>
  )
}
