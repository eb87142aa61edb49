import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { previewTemplate, queryThirdpartyPlatform } from '@wharf/contract'
import { useState } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useCaller, useRefusal } from '../../components/permission.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { ChatMessage } from './ChatMessage.tsx'
import { type Example, examples } from './examples.ts'
import { type Audience, calledBy, callsEveryone } from './mentions.ts'
import { messages } from './messages.ts'
import { serverTexts } from './server-texts.ts'

interface MessagePreviewProps {
  readonly audience: Audience
  /** The subscribed alert platforms; empty means all. */
  readonly platformUuids: readonly string[]
}

const allPlatforms = { sort: '+name', limit: 1000 }

/** Renders the template of a platform with an example alert, or the test message. */
export function MessagePreview({ audience, platformUuids }: MessagePreviewProps) {
  const t = useMessages(messages)
  const isKnown = useCaller() !== undefined
  const mayRender = useRefusal()(previewTemplate) === undefined && isKnown
  const [wanted, setWanted] = useState<Example>('critical')
  const [chosen, setChosen] = useState<string>()
  const { data, error: unread } = useApiQuery(queryThirdpartyPlatform, allPlatforms)
  const platforms = (data?.inventories ?? []).filter(
    ({ uuid = '' }) => platformUuids.length === 0 || platformUuids.includes(uuid),
  )
  const platform = platforms.find(({ uuid }) => uuid === chosen) ?? platforms[0]
  const hasTemplate = mayRender && platform !== undefined
  const example = hasTemplate ? wanted : 'test'
  const { alert, severity, title } = examples[example]
  const { data: rendered, error: unrendered } = useApiQuery(
    previewTemplate,
    { uuid: platform?.uuid ?? '', template: platform?.template ?? '', alert: alert ?? {} },
    { enabled: hasTemplate && alert !== undefined },
  )
  const text = alert === undefined ? serverTexts[audience.language].test : (rendered?.text ?? '')
  const options = platforms.map(({ uuid = '', name = '' }) => ({ value: uuid, label: name }))
  return (
    <SpaceBetween size="s">
      <Box color="text-body-secondary">{t.intro(audience.type)}</Box>
      {hasTemplate ? (
        <SegmentedControl
          label={t.example}
          selectedId={example}
          options={(['critical', 'warning', 'resolved', 'test'] as const).map((id) => ({ id, text: t[id] }))}
          onChange={({ detail }) => setWanted(detail.selectedId as Example)}
        />
      ) : null}
      {hasTemplate && platforms.length > 1 ? (
        <FormField label={t.platform}>
          <Select
            options={options}
            selectedOption={options.find(({ value }) => value === platform.uuid) ?? null}
            onChange={({ detail }) => setChosen(detail.selectedOption.value)}
          />
        </FormField>
      ) : null}
      {(unread ?? unrendered) ? <ErrorAlert error={unread ?? unrendered} /> : null}
      <ChatMessage message={{ title, text, severity }} audience={audience} />
      <Notes audience={audience} />
      {data && platform === undefined ? (
        <Box variant="small" color="text-body-secondary">
          {t.noPlatform}
        </Box>
      ) : null}
    </SpaceBetween>
  )
}

/** Notes that the preview cannot show. */
function Notes({ audience }: { audience: Audience }) {
  const t = useMessages(messages)
  const { type, atAll } = audience
  const unknown = calledBy({ ...audience, atAll: false }).filter(({ isPinged }) => !isPinged)
  const isOverruled = atAll && callsEveryone(type)
  return (
    <>
      {unknown.length > 0 && !isOverruled ? (
        <Box variant="small" tagOverride="div" color="text-status-warning">
          {t.notNotified(unknown.map(({ name }) => name).join(', '), type)}
        </Box>
      ) : null}
      {atAll && !callsEveryone(type) ? (
        <Box variant="small" tagOverride="div" color="text-status-warning">
          {t.everyoneInTeams}
        </Box>
      ) : null}
    </>
  )
}
