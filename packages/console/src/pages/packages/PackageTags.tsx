import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { querySystemTag, queryUserTag } from '@wharf/contract'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The user tags of a package, and the call parameters that the server stores as system tags. */
export function PackageTags({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const of = { q: [`resourceUuid=${uuid}`], fields: ['tag'] }
  const { data: own, error: ownError } = useApiQuery(queryUserTag, of)
  const { data: system, error: systemError } = useApiQuery(querySystemTag, of)
  const error = ownError ?? systemError
  const tags = own?.inventories?.flatMap(({ tag }) => tag ?? []) ?? []
  const configs = (system?.inventories ?? []).flatMap(({ tag = '' }) => {
    const [pattern = '', value = ''] = tag.split(/::(.*)/s)
    return pattern.endsWith('Config') ? [{ label: pattern, value: <Box variant="code">{value}</Box> }] : []
  })
  return (
    <Container header={<Header variant="h2">{t.tags}</Header>}>
      <SpaceBetween size="m">
        {error ? <ErrorAlert error={error} /> : null}
        {own && tags.length === 0 ? (
          <Box color="text-body-secondary">{t.noTags}</Box>
        ) : (
          <SpaceBetween direction="horizontal" size="xs">
            {tags.map((tag) => (
              <Badge key={tag} color="blue">
                {tag}
              </Badge>
            ))}
          </SpaceBetween>
        )}
        {configs.length > 0 ? (
          <ExpandableSection headerText={t.configs}>
            <KeyValuePairs columns={1} items={configs} />
          </ExpandableSection>
        ) : null}
      </SpaceBetween>
    </Container>
  )
}
