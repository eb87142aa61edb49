import Select from '@cloudscape-design/components/select'
import { useWords } from '../../../words/words.ts'
import { usePlaces } from '../upload/places.ts'
import { words } from './words.ts'

/** A host by its name; those that take no work at the moment are shown with the reason. */
export function HostSelect({ value, onChange }: { value: string; onChange: (uuid: string) => void }) {
  const say = useWords(words)
  const { places, isPending } = usePlaces()
  const options = places
    .filter(({ kind }) => kind === 'host')
    .map(({ uuid, name, obstacle }) => ({
      value: uuid,
      label: name,
      ...(obstacle === undefined ? {} : { disabled: true, disabledReason: say.unusable(obstacle) }),
    }))
  return (
    <Select
      options={options}
      filteringType="auto"
      statusType={isPending ? 'loading' : 'finished'}
      placeholder={say.chooseHost}
      selectedOption={options.find((option) => option.value === value) ?? null}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  )
}
