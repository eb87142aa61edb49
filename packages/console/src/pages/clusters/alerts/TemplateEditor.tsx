import Button from '@cloudscape-design/components/button'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Textarea from '@cloudscape-design/components/textarea'
import { previewTemplate, type queryThirdpartyPlatform, updateThirdpartyPlatform } from '@wharf/contract'
import { useState } from 'react'
import { Failure } from '../../../parts/Failure.tsx'
import { NotAllowed } from '../../../parts/NotAllowed.tsx'
import { useCaller, useRefusal } from '../../../parts/permission.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useAnswer, useOperation } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { examples } from '../../chat/preview/examples.ts'
import { type ShownExample, TemplatePreview } from './TemplatePreview.tsx'
import { useTemplateDraft } from './template-drafts.ts'
import { useSettled } from './use-settled.ts'
import { words } from './words.ts'

/** Somebody who types does not want an answer to every letter. */
const settleMs = 300

/** The template on one side, on the other what it makes of an alert. Nothing is stored before it is saved. */
export function TemplateEditor({ platform }: { platform: RecordOf<typeof queryThirdpartyPlatform> }) {
  const { uuid = '', template: saved = '' } = platform
  const say = useWords(words)
  const refused = useRefusal()
  const { template, isChanged, setTyped } = useTemplateDraft(uuid, saved)
  const settled = useSettled(template, settleMs)
  const isReadOnly = refused(updateThirdpartyPlatform) !== undefined
  const isKnown = useCaller() !== undefined
  const mayRender = isKnown && refused(previewTemplate) === undefined
  const [example, setExample] = useState<ShownExample>('critical')
  const preview = useAnswer(
    previewTemplate,
    { uuid, template: settled, alert: examples[example].alert ?? {} },
    { enabled: mayRender && settled !== '' },
  )
  const saving = useOperation(updateThirdpartyPlatform)
  const reason = !isChanged
    ? say.unchanged
    : template === ''
      ? say.isEmpty
      : preview.error
        ? say.notRendering
        : undefined
  const save = (): void =>
    saving.mutate({ uuid, template }, { onSuccess: ({ inventory }) => setTyped(inventory.template) })
  return (
    <SpaceBetween size="m">
      <NotAllowed refusal={refused(updateThirdpartyPlatform)} />
      <ColumnLayout columns={mayRender ? 2 : 1}>
        <FormField label={say.template} constraintText={say.templateMeans} stretch>
          <Textarea
            value={template}
            rows={16}
            spellcheck={false}
            readOnly={isReadOnly}
            onChange={({ detail }) => {
              saving.reset()
              setTyped(detail.value)
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
      {saving.error ? <Failure error={saving.error} /> : null}
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Button
          variant="primary"
          loading={saving.isPending}
          disabled={reason !== undefined}
          disabledReason={reason ?? ''}
          {...refused(updateThirdpartyPlatform)}
          onClick={save}
        >
          {say.save}
        </Button>
        <Button disabled={!isChanged} disabledReason={say.unchanged} onClick={() => setTyped(undefined)}>
          {say.undo}
        </Button>
        {saving.isSuccess ? <StatusIndicator type="success">{say.saved}</StatusIndicator> : null}
        {isChanged ? <StatusIndicator type="warning">{say.unsaved}</StatusIndicator> : null}
      </SpaceBetween>
    </SpaceBetween>
  )
}
