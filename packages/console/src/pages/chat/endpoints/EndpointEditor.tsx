import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Form from '@cloudscape-design/components/form'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { CallableOperation } from '@wharf/sdk'
import { type FormEvent, useState } from 'react'
import { navigate } from '../../../browser/route.ts'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import type { ApiCall } from '../../../components/copy-command/command-text.ts'
import { DraftNotice } from '../../../components/DraftNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { NotAllowed } from '../../../components/NotAllowed.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { MessagePreview } from '../../../features/chat-messages/MessagePreview.tsx'
import type { Person } from '../../../features/chat-messages/mentions.ts'
import { messages as chatMessages } from '../../../features/chat-messages/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { EndpointFields } from './EndpointFields.tsx'
import { type EndpointForm, isComplete } from './endpoint-form.ts'
import { messages } from './messages.ts'

interface EndpointEditorProps {
  /** Identifies the draft. */
  readonly name: string
  readonly title: string
  readonly action: string
  /** The operation that saving calls. */
  readonly operation: CallableOperation
  /** Its input. */
  readonly inputOf: (form: EndpointForm) => ApiCall['input']
  readonly initialForm: EndpointForm
  readonly persons: readonly Person[]
  readonly shownUrl?: string
  /** The link to open on cancel. */
  readonly back: string
  /** Returns the link to open after saving. */
  readonly onSave: (form: EndpointForm) => Promise<string>
}

/** The form beside a preview of a message. */
export function EndpointEditor(props: EndpointEditorProps) {
  const { name, title, action, operation, inputOf, initialForm, persons, shownUrl, back, onSave } = props
  const t = useMessages(messages)
  const preview = useMessages(chatMessages)
  // the URL of a webhook contains its token
  const draft = useFormDraft(name, initialForm, { secrets: () => ['url'] })
  const { form, setForm } = draft
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const refusal = useRefusal()(operation)
  const isReady = refusal === undefined && isComplete(form, shownUrl === undefined)
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady || isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const link = await onSave(form)
      draft.discard()
      navigate(link)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <ContentLayout header={<Header variant="h1">{title}</Header>}>
      <Grid gridDefinition={[{ colspan: { default: 12, s: 7 } }, { colspan: { default: 12, s: 5 } }]}>
        <form onSubmit={(event) => void save(event)}>
          <Form
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <CopyAsCommand calls={[{ operation, input: inputOf(form) }]} />
                <Button variant="link" formAction="none" onClick={() => navigate(back)}>
                  {t.cancel}
                </Button>
                <Button
                  variant="primary"
                  formAction="submit"
                  loading={isBusy}
                  disabled={!isReady}
                  disabledReason={t.incomplete}
                  {...refusal}
                >
                  {action}
                </Button>
              </SpaceBetween>
            }
          >
            <SpaceBetween size="m">
              <NotAllowed refusal={refusal} />
              {draft.isRestored ? <DraftNotice draft={draft} /> : null}
              {failure ? <ErrorAlert error={failure} /> : null}
              <Container>
                <EndpointFields
                  form={form}
                  shownUrl={shownUrl}
                  onChange={(change) => setForm({ ...form, ...change })}
                />
              </Container>
            </SpaceBetween>
          </Form>
        </form>
        <Container header={<Header variant="h2">{preview.title}</Header>}>
          <MessagePreview audience={{ ...form, persons }} platformUuids={form.platformUuids} />
        </Container>
      </Grid>
    </ContentLayout>
  )
}
