import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Textarea from '@cloudscape-design/components/textarea'
import { publishRelease } from '@wharf/contract'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { uploads } from '../../../features/uploads/use-uploads.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { FileSource } from './FileSource.tsx'
import { messages } from './messages.ts'
import { PackageSource } from './PackageSource.tsx'
import { destinationOf, newPublication, type PublishForm, problemOf, publicationOf } from './publish-form.ts'

/** Publishes a package on backup storage; or uploads a file, and publishes it in the background when it is stored. */
export function PublishRelease({ onDismiss }: { onDismiss: () => void }) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const wharf = useWharf()
  // a file cannot be stored
  const draft = useFormDraft<PublishForm>('release', newPublication, { secrets: () => ['upload'] })
  const { form, setForm } = draft
  const set = (change: Partial<PublishForm>): void => setForm((before) => ({ ...before, ...change }))
  const problem = problemOf(form)
  const submit = async (): Promise<void> => {
    const { source, upload, packageUuid, storageUuid } = form
    if (source === 'package') await wharf.releases.publish(publicationOf(packageUuid, form))
    else if (upload)
      uploads.add(wharf, upload.file, destinationOf(upload, storageUuid), async (uuid) => {
        const { inventory } = await wharf.releases.publish(publicationOf(uuid, form))
        return inventory.uuid
      })
  }
  return (
    <FormModal
      title={t.title}
      draft={draft}
      action={t.publish}
      isReady={problem === undefined}
      {...(problem && { notReady: t.problems[problem] })}
      call={
        form.source === 'package'
          ? { operation: publishRelease, input: publicationOf(form.packageUuid, form) }
          : undefined
      }
      onSubmit={submit}
      onDismiss={onDismiss}
    >
      <Box>{t.intro}</Box>
      <SegmentedControl
        label={t.source}
        selectedId={form.source}
        options={[
          { id: 'package', text: t.fromPackage },
          { id: 'file', text: t.fromFile },
        ]}
        onChange={({ detail }) => set({ source: detail.selectedId === 'file' ? 'file' : 'package' })}
      />
      {form.source === 'package' ? (
        <PackageSource value={form.packageUuid} onChange={(packageUuid) => set({ packageUuid })} />
      ) : (
        <FileSource form={form} onChange={set} />
      )}
      <FormField label={optional(t.description)} description={t.descriptionHelp} stretch>
        <Textarea value={form.description} rows={3} onChange={({ detail }) => set({ description: detail.value })} />
      </FormField>
    </FormModal>
  )
}
