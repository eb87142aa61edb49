import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ChatKind, chatKinds } from '@wharf/contract'
import { useState } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useLanguage } from '../../i18n/language.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { ChatMessage } from '../chat-messages/ChatMessage.tsx'
import { type Example, examples } from '../chat-messages/examples.ts'
import { messages as chatMessages } from '../chat-messages/messages.ts'
import { messages } from './messages.ts'

const kinds = chatKinds.map((value) => ({ value, label: value }))
const shown = ['critical', 'warning', 'resolved'] as const satisfies readonly Example[]

export type ShownExample = (typeof shown)[number]

interface TemplatePreviewProps {
  readonly example: ShownExample
  readonly text: string
  readonly error: unknown
  readonly onExample: (example: ShownExample) => void
}

/** Renders the template with an example alert, approximately as a chat shows it. */
export function TemplatePreview({ example, text, error, onExample }: TemplatePreviewProps) {
  const t = useMessages(messages)
  const chat = useMessages(chatMessages)
  const { language } = useLanguage()
  const [type, setType] = useState<ChatKind>('DingTalk')
  const { severity, title } = examples[example]
  return (
    <SpaceBetween size="s">
      <FormField label={t.preview}>
        <SegmentedControl
          label={chat.example}
          selectedId={example}
          options={shown.map((id) => ({ id, text: chat[id] }))}
          onChange={({ detail }) => onExample(shown.find((id) => id === detail.selectedId) ?? 'critical')}
        />
      </FormField>
      <Select
        ariaLabel={t.shownBy}
        options={kinds}
        selectedOption={kinds.find(({ value }) => value === type) ?? null}
        onChange={({ detail }) => setType(detail.selectedOption.value as ChatKind)}
      />
      <div aria-live="polite">
        {error ? (
          <ErrorAlert error={error} />
        ) : (
          <ChatMessage message={{ title, text, severity }} audience={{ type, language, atAll: false, persons: [] }} />
        )}
      </div>
    </SpaceBetween>
  )
}
