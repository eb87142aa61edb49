import Button from '@cloudscape-design/components/button'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Textarea from '@cloudscape-design/components/textarea'
import { previewTemplate, type queryThirdpartyPlatform, updateThirdpartyPlatform } from '@wharf/contract'
import { useState } from 'react'
import { CopyAsCommand } from '../../components/copy-command/CopyAsCommand.tsx'
import { DraftNotice } from '../../components/DraftNotice.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { NotAllowed } from '../../components/NotAllowed.tsx'
import { useCaller, useRefusal } from '../../components/permission.ts'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { useDebounced } from '../../components/use-debounced.ts'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useApiMutation, useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { examples } from '../chat-messages/examples.ts'
import { messages } from './messages.ts'
import { type ShownExample, TemplatePreview } from './TemplatePreview.tsx'

/** Renders the preview when typing pauses. */
const settleMs = 300

/** The template beside its preview. */
export function TemplateEditor({ platform }: { platform: RecordOf<typeof queryThirdpartyPlatform> }) {
  const { uuid = '', template: saved = '' } = platform
  const t = useMessages(messages)
  const refused = useRefusal()
  const draft = useFormDraft(`template ${uuid}`, { template: saved })
  const { isDirty: isChanged } = draft
  const { template } = draft.form
  const settled = useDebounced(template, settleMs)
  const isReadOnly = refused(updateThirdpartyPlatform) !== undefined
  const isKnown = useCaller() !== undefined
  const mayRender = isKnown && refused(previewTemplate) === undefined
  const [example, setExample] = useState<ShownExample>('critical')
  const preview = useApiQuery(
    previewTemplate,
    { uuid, template: settled, alert: examples[example].alert ?? {} },
    { enabled: mayRender && settled !== '' },
  )
  const saving = useApiMutation(updateThirdpartyPlatform)
  const reason = !isChanged ? t.unchanged : template === '' ? t.isEmpty : preview.error ? t.notRendering : undefined
  const save = (): void =>
    saving.mutate({ uuid, template }, { onSuccess: ({ inventory }) => draft.setForm({ template: inventory.template }) })
  return (
    <SpaceBetween size="m">
      <NotAllowed refusal={refused(updateThirdpartyPlatform)} />
      {draft.isRestored ? <DraftNotice draft={draft} /> : null}
      <ColumnLayout columns={mayRender ? 2 : 1}>
        <FormField label={t.template} constraintText={t.templateHelp} stretch>
          <Textarea
            value={template}
            rows={16}
            spellcheck={false}
            readOnly={isReadOnly}
            onChange={({ detail }) => {
              saving.reset()
              draft.setForm({ template: detail.value })
            }}
          />
        </FormField>
        {mayRender ? (
          <TemplatePreview
            example={example}
            text={settled === '' ? '' : (preview.data?.text ?? '')}
            error={preview.error}
            onExample={setExample}
          />
        ) : null}
      </ColumnLayout>
      {saving.error ? <ErrorAlert error={saving.error} /> : null}
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Button
          variant="primary"
          loading={saving.isPending}
          disabled={reason !== undefined}
          disabledReason={reason ?? ''}
          {...refused(updateThirdpartyPlatform)}
          onClick={save}
        >
          {t.save}
        </Button>
        <Button disabled={!isChanged} disabledReason={t.unchanged} onClick={draft.discard}>
          {t.undo}
        </Button>
        <CopyAsCommand calls={[{ operation: updateThirdpartyPlatform, input: { uuid, template } }]} />
        {saving.isSuccess ? <StatusIndicator type="success">{t.saved}</StatusIndicator> : null}
        {isChanged ? <StatusIndicator type="warning">{t.unsaved}</StatusIndicator> : null}
      </SpaceBetween>
    </SpaceBetween>
  )
}
