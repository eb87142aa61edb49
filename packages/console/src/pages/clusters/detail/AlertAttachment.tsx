import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { attachClusterPluginAlerts, getClusterPluginAlertAttachment, resetThirdpartyToken } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../../components/Confirm.tsx'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useApiMutation, useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { messages } from '../../../features/alert-platforms/messages.ts'
import { PlatformSecret } from '../../../features/alert-platforms/PlatformSecret.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'

interface AlertAttachmentProps {
  readonly pluginUuid: string
  readonly platformUuid: string
  readonly url: string
  readonly isBusy: boolean
}

/** Shows whether the component sends its alerts, and how to configure it if not. */
export function AlertAttachment({ pluginUuid, platformUuid, url, isBusy }: AlertAttachmentProps) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const { alertPlatforms } = useWharf()
  const { data, error } = useApiQuery(getClusterPluginAlertAttachment, { uuid: pluginUuid })
  const attaching = useApiMutation(attachClusterPluginAlerts)
  const [isConfirming, setConfirming] = useState(false)
  const [token, setToken] = useState<string>()
  const problem = error ?? attaching.error
  if (problem) return <ErrorAlert error={problem} />
  if (data === undefined) return null
  if (attaching.isPending) return <StatusIndicator type="in-progress">{t.attaching}</StatusIndicator>
  if (data.attachment === 'Attached') return <StatusIndicator type="success">{t.attached}</StatusIndicator>
  if (data.attachment === 'Pending')
    return data.softwarePackageUuid === null ? (
      <StatusIndicator type="pending">{t.pendingConfiguration}</StatusIndicator>
    ) : (
      <SpaceBetween size="xs">
        <StatusIndicator type="warning">{t.pending}</StatusIndicator>
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            disabled={isBusy}
            disabledReason={t.isRunning}
            {...refused(attachClusterPluginAlerts)}
            onClick={() => attaching.mutate({ uuid: pluginUuid })}
          >
            {t.attach}
          </Button>
          <CopyAsCommand calls={[{ operation: attachClusterPluginAlerts, input: { uuid: pluginUuid } }]} />
        </SpaceBetween>
      </SpaceBetween>
    )
  if (data.attachment === 'None') return null
  return (
    <>
      <Alert
        type="warning"
        header={t.manual}
        action={
          <Button {...refused(resetThirdpartyToken)} onClick={() => setConfirming(true)}>
            {t.showToken}
          </Button>
        }
      >
        {t.manualHelp}
      </Alert>
      {isConfirming ? (
        <Confirm
          title={t.showTokenTitle}
          consequences={t.showTokenConsequences}
          action={t.showToken}
          call={{ operation: resetThirdpartyToken, input: { uuid: platformUuid } }}
          onConfirm={async () => setToken((await alertPlatforms.resetToken(platformUuid)).token ?? undefined)}
          onDismiss={() => setConfirming(false)}
        />
      ) : null}
      {token ? <PlatformSecret url={url} token={token} onDismiss={() => setToken(undefined)} /> : null}
    </>
  )
}
