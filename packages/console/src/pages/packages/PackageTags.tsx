import Box from '@cloudscape-design/components/box'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { querySystemTag } from '@wharf/contract'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { UserTags } from '../../components/user-tags/UserTags.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The user tags of a package, and the call parameters that the server stores as system tags. */
export function PackageTags({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { data, error } = useApiQuery(querySystemTag, { q: [`resourceUuid=${uuid}`], fields: ['tag'] })
  const configs = (data?.inventories ?? []).flatMap(({ tag = '' }) => {
    const [pattern = '', value = ''] = tag.split(/::(.*)/s)
    return pattern.endsWith('Config') ? [{ label: pattern, value: <Box variant="code">{value}</Box> }] : []
  })
  return (
    <UserTags resourceUuid={uuid} resourceType="SoftwarePackage" list={['packages']}>
      {error ? <ErrorAlert error={error} /> : null}
      {configs.length > 0 ? (
        <ExpandableSection headerText={t.configs}>
          <KeyValuePairs columns={1} items={configs} />
        </ExpandableSection>
      ) : null}
    </UserTags>
  )
}
