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
import { uploads } from '../../../features/uploads/use-uploads.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { AddressFields } from './AddressFields.tsx'
import { type AddressDraft, fileNameIn, isAddress, isDigest } from './address-draft.ts'
import { DestinationFields } from './DestinationFields.tsx'
import type { Destination } from './destination.ts'
import { type Draft, draftOf, isType } from './drafts.ts'
import { FileDrafts } from './FileDrafts.tsx'
import { messages } from './messages.ts'
import { startUploads, uploadFromUrl } from './start-uploads.ts'
import { defaultFolder } from './suggested-path.ts'
import { useDefaultDestination } from './use-destinations.ts'

/** The upload form for files or a URL. */
export function UploadDialog({ files, onDismiss }: { files: readonly File[]; onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const first = useDefaultDestination()
  const [source, setSource] = useState<'files' | 'address'>('files')
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const [address, setAddress] = useState<AddressDraft>({ url: '', name: '', type: '', digest: '' })
  const [chosenDestination, setDestination] = useState<Destination>()
  const [typedFolder, setFolder] = useState<string>()
  const [tags, setTags] = useState('')
  const [showProblems, setShowProblems] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const invalid = useInvalidFocus()
  const add = async (more: readonly File[]): Promise<void> => {
    const fresh = await Promise.all(more.map(draftOf))
    setDrafts((before) => [...before.filter(({ file }) => !fresh.some((one) => isSame(one.file, file))), ...fresh])
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the files that the dialog was opened with
  useEffect(() => void add(files), [])

  const destination = chosenDestination ?? first.destination
  const folder = typedFolder ?? (destination ? defaultFolder(destination) : '')
  const hasDestination = destination !== undefined && folderProblem(folder, destination.kind === 'host') === undefined
  const packages: readonly { name: string; type: string }[] = source === 'files' ? drafts : [address]
  const isNamed = packages.length > 0 && packages.every(({ name, type }) => name.trim() !== '' && isType(type))
  const isReady =
    hasDestination && isNamed && (source === 'files' || (isAddress(address.url) && isDigest(address.digest)))
  const submit = async (): Promise<void> => {
    setShowProblems(true)
    if (!isReady) return invalid.focus()
    setBusy(true)
    setFailure(undefined)
    const userTags = tags.split(/[,，]/).flatMap((tag) => tag.trim() || [])
    try {
      if (source === 'files') startUploads(uploads, wharf, drafts, { destination, folder, userTags })
      else navigate(linkTo(['packages', await uploadFromUrl(wharf, address, { destination, folder, userTags })]))
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
      failure={failure ?? first.error}
      form={invalid.form}
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
        onChange={({ detail }) => setSource(detail.selectedId === 'address' ? 'address' : 'files')}
      />
      {source === 'files' ? (
        <FileDrafts
          drafts={drafts}
          showProblems={showProblems}
          onFiles={(more) => void add(more)}
          onChange={setDrafts}
        />
      ) : (
        <AddressFields draft={address} showProblems={showProblems} onChange={setAddress} />
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
        onDestination={setDestination}
        onFolder={setFolder}
      />
      <FormField label={t.userTags} description={t.userTagsHelp} stretch>
        <Input value={tags} onChange={({ detail }) => setTags(detail.value)} />
      </FormField>
      {source === 'files' ? <Box color="text-body-secondary">{t.background}</Box> : null}
    </FormModalLayout>
  )
}

const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
