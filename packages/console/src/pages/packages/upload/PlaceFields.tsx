import Alert from '@cloudscape-design/components/alert'
import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import Select, { type SelectProps } from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useHostRefusal } from '../../../parts/permission.ts'
import { useFigures } from '../../../words/figures.ts'
import { useWords } from '../../../words/words.ts'
import { type Place, useHabits, usePlaces } from './places.ts'
import { folderProblem, pathIn, standardFolder } from './suggested-path.ts'
import { words } from './words.ts'

interface PlaceFieldsProps {
  readonly place: Place | undefined
  readonly folder: string
  readonly fileNames: readonly string[]
  readonly sizeBytes: number
  readonly showProblems: boolean
  readonly onPlace: (place: Place | undefined) => void
  readonly onFolder: (folder: string) => void
}

/** Where it goes: a host or a backup storage, and a folder there. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { place, folder, fileNames, sizeBytes, showProblems, onPlace, onFolder } = props
  const say = useWords(words)
  const figures = useFigures()
  const refused = useHostRefusal()
  const { foldersOf } = useHabits()
  const { hosts, storages, list } = usePlaces()
  const optionOf = (one: Place): SelectProps.Option => ({
    value: one.uuid,
    label: one.name,
    description: say.free(figures.bytes(one.availableCapacity)),
    ...(one.obstacle === undefined ? refused(one) : { disabled: true, disabledReason: say.unusable(one.obstacle) }),
  })
  const groups = [
    { label: say.hosts, options: hosts.map(optionOf) },
    { label: say.storages, options: storages.map(optionOf) },
  ].filter(({ options }) => options.length > 0)
  const kind = place?.kind ?? 'host'
  const problem = place && folderProblem(folder, place.kind === 'host')
  const suggestions = [...new Set([...(place ? [standardFolder(place)] : []), ...foldersOf(place)])]
  return (
    <SpaceBetween size="m">
      <FormField label={say.place} errorText={showProblems && !place ? say.missing.place : ''} stretch>
        <Select
          options={groups}
          {...list}
          empty={say.noPlace}
          placeholder={say.placeChoose}
          selectedOption={place ? optionOf(place) : null}
          onChange={({ detail }) =>
            onPlace([...hosts, ...storages].find(({ uuid }) => uuid === detail.selectedOption.value))
          }
        />
      </FormField>
      <FormField
        label={say.folder}
        description={say.folderHelp[kind]}
        errorText={problem ? say.folderProblems[problem] : ''}
        constraintText={fileNames.length > 0 ? say.files(fileNames.map((name) => pathIn(folder, name)).join(', ')) : ''}
        stretch
      >
        <Autosuggest
          value={folder}
          options={suggestions.map((value) => ({ value }))}
          enteredTextLabel={(text) => `${say.suggestions} ${text}`}
          onChange={({ detail }) => onFolder(detail.value)}
        />
      </FormField>
      {place && sizeBytes > place.availableCapacity ? (
        <Alert type="warning">{say.tooLarge(figures.bytes(sizeBytes), figures.bytes(place.availableCapacity))}</Alert>
      ) : null}
    </SpaceBetween>
  )
}
