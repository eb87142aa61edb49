import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import {
  createClusterPluginAlertPlatform,
  type queryClusterPlugin,
  queryClusterPluginAlertPlatform,
  queryThirdpartyPlatform,
  updateThirdpartyPlatform,
} from '@wharf/contract'
import { Failure } from '../../../parts/Failure.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useAnswer, useOperation } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { AlertAttachment } from './AlertAttachment.tsx'
import { PlatformActions } from './PlatformActions.tsx'
import { PlatformFacts } from './PlatformFacts.tsx'
import { TemplateEditor } from './TemplateEditor.tsx'
import { words } from './words.ts'

interface AlertPlatformProps {
  readonly plugin: RecordOf<typeof queryClusterPlugin>
  readonly isBusy: boolean
}

/** The one platform that a cluster may have, or the way to one. */
export function AlertPlatform({ plugin: { uuid = '' }, isBusy }: AlertPlatformProps) {
  const say = useWords(words)
  const refused = useRefusal()
  const references = useAnswer(queryClusterPluginAlertPlatform, { q: [`clusterUuid=${uuid}`] })
  const platformUuid = references.data?.inventories?.[0]?.thirdPartyPlatformUuid
  const platforms = useAnswer(
    queryThirdpartyPlatform,
    { q: [`uuid=${platformUuid}`] },
    { enabled: platformUuid !== undefined },
  )
  const creating = useOperation(createClusterPluginAlertPlatform)
  const enabling = useOperation(updateThirdpartyPlatform)
  const platform = platformUuid === undefined ? undefined : platforms.data?.inventories?.[0]
  const error = references.error ?? platforms.error ?? creating.error ?? enabling.error
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={say.intro}
          actions={
            platform ? (
              <PlatformActions
                platform={platform}
                isEnabling={enabling.isPending}
                onEnable={() => enabling.mutate({ uuid: platform.uuid ?? '', stateEvent: 'enable' })}
              />
            ) : null
          }
        >
          {platform?.name ?? say.title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {error ? <Failure error={error} /> : null}
        {creating.isPending ? <StatusIndicator type="in-progress">{say.creating}</StatusIndicator> : null}
        {platform ? (
          <SpaceBetween size="l">
            <AlertAttachment
              pluginUuid={uuid}
              platformUuid={platform.uuid ?? ''}
              url={platform.url ?? ''}
              isBusy={isBusy}
            />
            <PlatformFacts platform={platform} />
            <TemplateEditor key={platform.uuid} platform={platform} />
          </SpaceBetween>
        ) : null}
        {references.data && platformUuid === undefined && !creating.isPending ? (
          <Box textAlign="center" padding="m">
            <SpaceBetween size="s">
              <Box color="inherit">{say.none}</Box>
              <Button
                disabled={isBusy}
                disabledReason={say.isRunning}
                {...refused(createClusterPluginAlertPlatform)}
                onClick={() => creating.mutate({ uuid })}
              >
                {say.create}
              </Button>
            </SpaceBetween>
          </Box>
        ) : null}
      </SpaceBetween>
    </Container>
  )
}
