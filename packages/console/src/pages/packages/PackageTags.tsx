import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { querySystemTag, queryUserTag } from '@wharf/contract'
import { Failure } from '../../parts/Failure.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

/** The user's own tags, and what its calls were given, which the server keeps as tags. */
export function PackageTags({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const of = { q: [`resourceUuid=${uuid}`], fields: ['tag'] }
  const { data: own, error: ownError } = useAnswer(queryUserTag, of)
  const { data: system, error: systemError } = useAnswer(querySystemTag, of)
  const error = ownError ?? systemError
  const tags = own?.inventories?.flatMap(({ tag }) => tag ?? []) ?? []
  const configs = (system?.inventories ?? []).flatMap(({ tag = '' }) => {
    const [pattern = '', value = ''] = tag.split(/::(.*)/s)
    return pattern.endsWith('Config') ? [{ label: pattern, value: <Box variant="code">{value}</Box> }] : []
  })
  return (
    <Container header={<Header variant="h2">{say.tags}</Header>}>
      <SpaceBetween size="m">
        {error ? <Failure error={error} /> : null}
        {own && tags.length === 0 ? (
          <Box color="text-body-secondary">{say.noTags}</Box>
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
          <ExpandableSection headerText={say.configs}>
            <KeyValuePairs columns={1} items={configs} />
          </ExpandableSection>
        ) : null}
      </SpaceBetween>
    </Container>
  )
}
