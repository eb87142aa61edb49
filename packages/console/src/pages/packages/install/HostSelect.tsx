import Select from '@cloudscape-design/components/select'
import { queryHost } from '@wharf/contract'
import { useChoices } from '../../../parts/choices/use-choices.ts'
import { useSearch } from '../../../parts/choices/use-search.ts'
import { useHostRefusal } from '../../../parts/permission.ts'
import { useWords } from '../../../words/words.ts'
import { hostPlace, type Place } from '../upload/places.ts'
import { words } from './words.ts'

/** A host by its name; those that take no work at the moment are shown with the reason. */
export function HostSelect({ value, onChange }: { value: string; onChange: (uuid: string) => void }) {
  const say = useWords(words)
  const { text, listOf } = useSearch()
  const hosts = useChoices(queryHost, { text, chosen: value })
  const refused = useHostRefusal()
  const optionOf = ({ uuid, name, obstacle, driver }: Place) => ({
    value: uuid,
    label: name,
    ...(obstacle === undefined ? refused({ driver }) : { disabled: true, disabledReason: say.unusable(obstacle) }),
  })
  return (
    <Select
      {...listOf(hosts)}
      options={hosts.records.map((host) => optionOf(hostPlace(host)))}
      placeholder={say.chooseHost}
      selectedOption={hosts.chosen ? optionOf(hostPlace(hosts.chosen)) : null}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  )
}
