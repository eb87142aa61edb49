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
} from '@wharf/contract'
import { useState } from 'react'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { RecordActions } from '../../../components/RecordActions.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useApiMutation, useApiQuery } from '../../../data/api-query.ts'
import { messages } from '../../../features/alert-platforms/messages.ts'
import { PlatformFacts } from '../../../features/alert-platforms/PlatformFacts.tsx'
import { TemplateEditor } from '../../../features/alert-platforms/TemplateEditor.tsx'
import { usePlatformActions } from '../../../features/alert-platforms/use-platform-actions.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { AlertAttachment } from './AlertAttachment.tsx'

interface AlertPlatformProps {
  readonly plugin: RecordOf<typeof queryClusterPlugin>
  readonly isBusy: boolean
}

/** The alert platform of a cluster, or the button that creates it. */
export function AlertPlatform({ plugin: { uuid = '' }, isBusy }: AlertPlatformProps) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const references = useApiQuery(queryClusterPluginAlertPlatform, { q: [`clusterUuid=${uuid}`] })
  const platformUuid = references.data?.inventories?.[0]?.thirdPartyPlatformUuid
  const platforms = useApiQuery(
    queryThirdpartyPlatform,
    { q: [`uuid=${platformUuid}`] },
    { enabled: platformUuid !== undefined },
  )
  const creating = useApiMutation(createClusterPluginAlertPlatform)
  const { actions, tokenDialog } = usePlatformActions()
  const [actionError, setActionError] = useState<unknown>()
  const platform = platformUuid === undefined ? undefined : platforms.data?.inventories?.[0]
  const error = references.error ?? platforms.error ?? creating.error ?? actionError
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t.intro}
          actions={platform ? <RecordActions actions={actions(platform)} onError={setActionError} /> : null}
        >
          {platform?.name ?? t.title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {error ? <ErrorAlert error={error} /> : null}
        {tokenDialog}
        {creating.isPending ? <StatusIndicator type="in-progress">{t.creating}</StatusIndicator> : null}
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
              <Box color="inherit">{t.none}</Box>
              <SpaceBetween direction="horizontal" size="xs">
                <Button
                  disabled={isBusy}
                  disabledReason={t.isRunning}
                  {...refused(createClusterPluginAlertPlatform)}
                  onClick={() => creating.mutate({ uuid })}
                >
                  {t.create}
                </Button>
                <CopyAsCommand calls={[{ operation: createClusterPluginAlertPlatform, input: { uuid } }]} />
              </SpaceBetween>
            </SpaceBetween>
          </Box>
        ) : null}
      </SpaceBetween>
    </Container>
  )
}
