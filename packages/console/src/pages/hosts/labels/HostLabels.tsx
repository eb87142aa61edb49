import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { type queryHost, updateHost } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../../components/FormModal.tsx'
import { useHostRefusal, useRefusal } from '../../../components/permission.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { LabelFields } from './LabelFields.tsx'
import { LabelLinks } from './LabelLinks.tsx'
import { changeOf, isValid, rowsOf } from './label-form.ts'
import { messages } from './messages.ts'

type Host = RecordOf<typeof queryHost>

/** The section of a host with its labels. */
export function HostLabels({ host }: { host: Host }) {
  const t = useMessages(messages)
  const [isEditing, setEditing] = useState(false)
  const refused = useRefusal()
  const hostRefused = useHostRefusal()
  const refusal = refused(updateHost) ?? hostRefused(host)
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <Button {...refusal} onClick={() => setEditing(true)}>
              {t.edit}
            </Button>
          }
        >
          {t.labels}
        </Header>
      }
    >
      <LabelLinks labels={host.labels} />
      {isEditing ? <EditLabels host={host} onDismiss={() => setEditing(false)} /> : null}
    </Container>
  )
}

function EditLabels({ host: { uuid = '', name = '', labels = {} }, onDismiss }: { host: Host; onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const draft = useFormDraft(`labels ${uuid}`, { rows: rowsOf(labels) })
  const { rows } = draft.form
  const change = changeOf(rows, labels)
  const isUnchanged = Object.keys(change).length === 0
  return (
    <FormModal
      title={t.editTitle(name)}
      size="large"
      draft={draft}
      action={t.save}
      isReady={isValid(rows) && !isUnchanged}
      notReady={isUnchanged ? t.unchanged : t.problems.badRows}
      call={{ operation: updateHost, input: { uuid, ...change } }}
      onSubmit={() => wharf.call(updateHost, { uuid, ...change })}
      onDismiss={onDismiss}
    >
      <LabelFields rows={rows} empty={t.noLabels} onChange={(next) => draft.setForm({ rows: [...next] })} />
    </FormModal>
  )
}
