import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { useEffect, useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { useInvalidFocus } from '../../../browser/use-invalid-focus.ts'
import { FormModalLayout } from '../../../components/FormModalLayout.tsx'
import { folderProblem } from '../../../components/folder-problem.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { draftOf, isType } from '../../../features/uploads/drafts.ts'
import { defaultFolder } from '../../../features/uploads/suggested-path.ts'
import { uploads } from '../../../features/uploads/use-uploads.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { AddressFields } from './AddressFields.tsx'
import { fileNameIn, isAddress, isDigest } from './address-draft.ts'
import { DestinationFields } from './DestinationFields.tsx'
import { FileDrafts } from './FileDrafts.tsx'
import { messages } from './messages.ts'
import { startUploads, uploadFromUrl, urlUploadCall } from './start-uploads.ts'
import { useOnlyDestination } from './use-destinations.ts'
import { useUploadDraft } from './use-upload-draft.ts'

/** The upload form for files or a URL. */
export function UploadDialog({ files, onDismiss }: { files: readonly File[]; onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const only = useOnlyDestination()
  const draft = useUploadDraft()
  const { source, address, tags, files: drafts } = draft.form
  const set = (change: Partial<typeof draft.form>): void => draft.setForm((before) => ({ ...before, ...change }))
  const [showProblems, setShowProblems] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const invalid = useInvalidFocus()
  const add = async (more: readonly File[]): Promise<void> => {
    const fresh = await Promise.all(more.map(draftOf))
    draft.setForm((before) => {
      const others = before.files.filter(({ file }) => !fresh.some((one) => isSame(one.file, file)))
      return { ...before, files: [...others, ...fresh] }
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the files that the dialog was opened with
  useEffect(() => void add(files), [])

  const destination = draft.form.destination ?? only.destination
  const folder = draft.form.folder ?? (destination ? defaultFolder(destination) : '')
  const hasDestination = destination !== undefined && folderProblem(folder, destination.kind === 'host') === undefined
  const packages: readonly { name: string; type: string }[] = source === 'files' ? drafts : [address]
  const isNamed = packages.length > 0 && packages.every(({ name, type }) => name.trim() !== '' && isType(type))
  const isReady =
    hasDestination && isNamed && (source === 'files' || (isAddress(address.url) && isDigest(address.digest)))
  const userTags = tags.split(/[,，]/).flatMap((tag) => tag.trim() || [])
  const submit = async (): Promise<void> => {
    setShowProblems(true)
    if (!isReady) return invalid.focus()
    setBusy(true)
    setFailure(undefined)
    try {
      const target = { destination, folder, userTags }
      if (source === 'files') startUploads(uploads, wharf, drafts, target)
      const uuid = source === 'files' ? undefined : await uploadFromUrl(wharf, address, target)
      draft.discard()
      if (uuid !== undefined) navigate(linkTo(['packages', uuid]))
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <FormModalLayout
      title={t.title}
      size="large"
      action={t.upload}
      isBusy={isBusy}
      draft={draft}
      failure={failure ?? only.error}
      form={invalid.form}
      call={source === 'address' ? urlUploadCall(address, { destination, folder, userTags }) : undefined}
      onSubmit={submit}
      onDismiss={onDismiss}
    >
      <SegmentedControl
        label={t.source}
        selectedId={source}
        options={[
          { id: 'files', text: t.fromFiles },
          { id: 'address', text: t.fromAddress },
        ]}
        onChange={({ detail }) => set({ source: detail.selectedId === 'address' ? 'address' : 'files' })}
      />
      {source === 'files' ? (
        <FileDrafts
          drafts={drafts}
          showProblems={showProblems}
          onFiles={(more) => void add(more)}
          onChange={(changed) => set({ files: changed })}
        />
      ) : (
        <AddressFields draft={address} showProblems={showProblems} onChange={(changed) => set({ address: changed })} />
      )}
      <DestinationFields
        destination={destination}
        folder={folder}
        fileNames={
          source === 'files'
            ? drafts.map(({ file }) => file.name)
            : isAddress(address.url)
              ? [fileNameIn(address.url)]
              : []
        }
        sizeBytes={source === 'files' ? drafts.reduce((sum, { file }) => sum + file.size, 0) : 0}
        showProblems={showProblems}
        onDestination={(chosen) => set({ destination: chosen ?? null })}
        onFolder={(typed) => set({ folder: typed })}
      />
      <FormField label={t.userTags} description={t.userTagsHelp} stretch>
        <Input value={tags} onChange={({ detail }) => set({ tags: detail.value })} />
      </FormField>
      {source === 'files' ? <Box color="text-body-secondary">{t.background}</Box> : null}
    </FormModalLayout>
  )
}

const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
