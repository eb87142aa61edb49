import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { type ReactNode, useState } from 'react'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { withPlaceholders } from '../../../features/config-form/config-value.ts'
import { type JsonObject, parseObject } from '../../../features/config-form/json-schema.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { PackageRecord } from '../package-record.ts'
import { hostField } from './config-schema.ts'
import { HostSelect } from './HostSelect.tsx'
import { InstallModal } from './InstallModal.tsx'
import { messages } from './messages.ts'

interface InstallByTextProps {
  readonly record: PackageRecord
  readonly previous: JsonObject | undefined
  /** Shown above the fields. */
  readonly notice: ReactNode
  readonly onDismiss: () => void
}

/** For a package without a schema: its configuration as JSON. */
export function InstallByText({ record, previous, notice, onDismiss }: InstallByTextProps) {
  const t = useMessages(messages)
  const { [hostField]: previousHost, ...rest } = previous ?? {}
  const initial = {
    text: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2),
    hostUuid: String(previousHost ?? ''),
  }
  // without a schema any value may be secret
  const draft = useFormDraft(`install ${record.uuid}`, initial, { isStored: false })
  const { form, setForm } = draft
  const { text, hostUuid } = form
  const [showProblems, setShowProblems] = useState(false)
  const isOnStorage = record.hostUuid === null
  const given = parseObject(text)
  const isReadable = text.trim() === '' || given !== undefined
  const withoutHost = text.trim() === '' ? undefined : text
  const config = isOnStorage ? JSON.stringify({ ...given, [hostField]: hostUuid }) : withoutHost
  const shown = withPlaceholders(given) as JsonObject | undefined
  const shownConfig = isOnStorage ? { ...shown, [hostField]: hostUuid } : shown
  const configOf = () => {
    setShowProblems(true)
    return !isReadable || (isOnStorage && hostUuid === '') ? undefined : { config }
  }
  return (
    <InstallModal
      record={record}
      draft={draft}
      configOf={configOf}
      shownConfig={shownConfig && JSON.stringify(shownConfig)}
      onDismiss={onDismiss}
    >
      {notice}
      {previous ? <Box color="text-body-secondary">{t.prefilled}</Box> : null}
      {isOnStorage ? (
        <FormField
          label={t.host}
          description={t.hostHelp}
          errorText={showProblems && hostUuid === '' ? t.required : ''}
          stretch
        >
          <HostSelect value={hostUuid} onChange={(chosen) => setForm({ ...form, hostUuid: chosen })} />
        </FormField>
      ) : null}
      <FormField label={t.config} description={t.configHelp} errorText={isReadable ? '' : t.notJson} stretch>
        <Textarea
          value={text}
          rows={10}
          spellcheck={false}
          placeholder="{}"
          onChange={({ detail }) => setForm({ ...form, text: detail.value })}
        />
      </FormField>
    </InstallModal>
  )
}
