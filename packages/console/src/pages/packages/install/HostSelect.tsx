import Select from '@cloudscape-design/components/select'
import { queryHost } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import { useHostRefusal } from '../../../components/permission.ts'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type Destination, hostDestination } from '../upload/destination.ts'
import { messages } from './messages.ts'

/** Selects a host; unusable hosts are disabled with the reason. */
export function HostSelect({ value, onChange }: { value: string; onChange: (uuid: string) => void }) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const { text, listOf } = useSearch()
  const hosts = useChoices(queryHost, { text, chosen: value })
  const refused = useHostRefusal()
  const optionOf = ({ uuid, name, obstacle, driver }: Destination) => ({
    value: uuid,
    label: name,
    ...(obstacle === undefined
      ? refused({ driver })
      : { disabled: true, disabledReason: t.unusable(nameOf(obstacle)) }),
  })
  return (
    <Select
      {...listOf(hosts)}
      options={hosts.records.map((host) => optionOf(hostDestination(host)))}
      placeholder={t.chooseHost}
      selectedOption={hosts.chosen ? optionOf(hostDestination(hosts.chosen)) : null}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  )
}
