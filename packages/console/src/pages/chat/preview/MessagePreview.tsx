import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { previewTemplate, queryThirdpartyPlatform } from '@wharf/contract'
import { useState } from 'react'
import { Failure } from '../../../parts/Failure.tsx'
import { useCaller, useRefusal } from '../../../parts/permission.ts'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { ChatMessage } from './ChatMessage.tsx'
import { type Audience, calledBy, callsEveryone } from './called.ts'
import { type Example, examples } from './examples.ts'
import { messageWords } from './message-words.ts'
import { words } from './words.ts'

interface MessagePreviewProps {
  readonly audience: Audience
  /** The alert platforms it tells of; all of them when there is none. */
  readonly platformUuids: readonly string[]
}

const allPlatforms = { sort: '+name', limit: 1000 }

/** What would arrive: the template of a platform with an example, or the test message. */
export function MessagePreview({ audience, platformUuids }: MessagePreviewProps) {
  const say = useWords(words)
  const isKnown = useCaller() !== undefined
  const mayRender = useRefusal()(previewTemplate) === undefined && isKnown
  const [wanted, setWanted] = useState<Example>('critical')
  const [chosen, setChosen] = useState<string>()
  const { data, error: unread } = useAnswer(queryThirdpartyPlatform, allPlatforms)
  const platforms = (data?.inventories ?? []).filter(
    ({ uuid = '' }) => platformUuids.length === 0 || platformUuids.includes(uuid),
  )
  const platform = platforms.find(({ uuid }) => uuid === chosen) ?? platforms[0]
  const hasTemplate = mayRender && platform !== undefined
  const example = hasTemplate ? wanted : 'test'
  const { alert, severity, title } = examples[example]
  const { data: rendered, error: unrendered } = useAnswer(
    previewTemplate,
    { uuid: platform?.uuid ?? '', template: platform?.template ?? '', alert: alert ?? {} },
    { enabled: hasTemplate && alert !== undefined },
  )
  const text = alert === undefined ? messageWords[audience.language].test : (rendered?.text ?? '')
  const options = platforms.map(({ uuid = '', name = '' }) => ({ value: uuid, label: name }))
  return (
    <SpaceBetween size="s">
      <Box color="text-body-secondary">{say.intro(audience.type)}</Box>
      {hasTemplate ? (
        <SegmentedControl
          label={say.example}
          selectedId={example}
          options={(['critical', 'warning', 'resolved', 'test'] as const).map((id) => ({ id, text: say[id] }))}
          onChange={({ detail }) => setWanted(detail.selectedId as Example)}
        />
      ) : null}
      {hasTemplate && platforms.length > 1 ? (
        <FormField label={say.platform}>
          <Select
            options={options}
            selectedOption={options.find(({ value }) => value === platform.uuid) ?? null}
            onChange={({ detail }) => setChosen(detail.selectedOption.value)}
          />
        </FormField>
      ) : null}
      {(unread ?? unrendered) ? <Failure error={unread ?? unrendered} /> : null}
      <ChatMessage message={{ title, text, severity }} audience={audience} />
      <Notes audience={audience} />
      {data && platform === undefined ? (
        <Box variant="small" color="text-body-secondary">
          {say.noPlatform}
        </Box>
      ) : null}
    </SpaceBetween>
  )
}

/** What a picture alone would not tell. */
function Notes({ audience }: { audience: Audience }) {
  const say = useWords(words)
  const { type, atAll } = audience
  const unknown = calledBy({ ...audience, atAll: false }).filter(({ isPinged }) => !isPinged)
  const isOverruled = atAll && callsEveryone(type)
  return (
    <>
      {unknown.length > 0 && !isOverruled ? (
        <Box variant="small" color="text-status-warning">
          {say.notPinged(unknown.map(({ name }) => name).join(', '), type)}
        </Box>
      ) : null}
      {atAll && !callsEveryone(type) ? (
        <Box variant="small" color="text-status-warning">
          {say.everyoneInTeams}
        </Box>
      ) : null}
    </>
  )
}
