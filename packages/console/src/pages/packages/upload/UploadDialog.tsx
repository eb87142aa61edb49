import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { useEffect, useState } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { ModalForm } from '../../../parts/ModalForm.tsx'
import { useInvalidFocus } from '../../../parts/use-invalid-focus.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { type AddressDraft, AddressFields, fileNameIn, isAddress, isDigest } from './AddressFields.tsx'
import { type Draft, draftOf, isType } from './drafts.ts'
import { FileDrafts } from './FileDrafts.tsx'
import { PlaceFields } from './PlaceFields.tsx'
import { type Place, useFirstPlace } from './places.ts'
import { fetchFrom, send } from './submit.ts'
import { folderProblem, standardFolder } from './suggested-path.ts'
import { words } from './words.ts'

/** Everything that an upload needs to be told, for one file, for many, or for an address. */
export function UploadDialog({ files, onDismiss }: { files: readonly File[]; onDismiss: () => void }) {
  const say = useWords(words)
  const wharf = useWharf()
  const first = useFirstPlace()
  const [source, setSource] = useState<'files' | 'address'>('files')
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const [address, setAddress] = useState<AddressDraft>({ url: '', name: '', type: '', digest: '' })
  const [chosenPlace, setPlace] = useState<Place>()
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

  const place = chosenPlace ?? first.place
  const folder = typedFolder ?? (place ? standardFolder(place) : '')
  const isPlaced = place !== undefined && folderProblem(folder, place.kind === 'host') === undefined
  const asked: readonly { name: string; type: string }[] = source === 'files' ? drafts : [address]
  const isNamed = asked.length > 0 && asked.every(({ name, type }) => name.trim() !== '' && isType(type))
  const isReady = isPlaced && isNamed && (source === 'files' || (isAddress(address.url) && isDigest(address.digest)))
  const submit = async (): Promise<void> => {
    setShowProblems(true)
    if (!isReady) return invalid.tell()
    setBusy(true)
    setFailure(undefined)
    const userTags = tags.split(/[,，]/).flatMap((tag) => tag.trim() || [])
    try {
      if (source === 'files') send(wharf, drafts, { place, folder, userTags })
      else go(linkTo(['packages', await fetchFrom(wharf, address, { place, folder, userTags })]))
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <ModalForm
      title={say.title}
      size="large"
      action={say.upload}
      isBusy={isBusy}
      failure={failure ?? first.error}
      form={invalid.form}
      onSubmit={submit}
      onDismiss={onDismiss}
    >
      <SegmentedControl
        label={say.source}
        selectedId={source}
        options={[
          { id: 'files', text: say.fromFiles },
          { id: 'address', text: say.fromAddress },
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
      <PlaceFields
        place={place}
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
        onPlace={setPlace}
        onFolder={setFolder}
      />
      <FormField label={say.userTags} description={say.userTagsHelp} stretch>
        <Input value={tags} onChange={({ detail }) => setTags(detail.value)} />
      </FormField>
      {source === 'files' ? <Box color="text-body-secondary">{say.background}</Box> : null}
    </ModalForm>
  )
}

const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
