import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { attachClusterPluginAlerts, getClusterPluginAlertAttachment, resetThirdpartyToken } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../../parts/Confirm.tsx'
import { Failure } from '../../../parts/Failure.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import { useAnswer, useOperation } from '../../../wharf/answers.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { PlatformSecret } from '../../alerts/platforms/PlatformSecret.tsx'
import { words } from './words.ts'

interface AlertAttachmentProps {
  readonly pluginUuid: string
  readonly platformUuid: string
  readonly url: string
  readonly isBusy: boolean
}

/** Whether the component sends its alerts here, and what somebody has to do where it does not. */
export function AlertAttachment({ pluginUuid, platformUuid, url, isBusy }: AlertAttachmentProps) {
  const say = useWords(words)
  const refused = useRefusal()
  const { alertPlatforms } = useWharf()
  const { data, error } = useAnswer(getClusterPluginAlertAttachment, { uuid: pluginUuid })
  const attaching = useOperation(attachClusterPluginAlerts)
  const [isAsked, setAsked] = useState(false)
  const [token, setToken] = useState<string>()
  const problem = error ?? attaching.error
  if (problem) return <Failure error={problem} />
  if (data === undefined) return null
  if (attaching.isPending) return <StatusIndicator type="in-progress">{say.attaching}</StatusIndicator>
  if (data.attachment === 'Attached') return <StatusIndicator type="success">{say.attached}</StatusIndicator>
  if (data.attachment === 'Pending')
    return data.softwarePackageUuid === null ? (
      <StatusIndicator type="pending">{say.pendingConfiguration}</StatusIndicator>
    ) : (
      <SpaceBetween size="xs">
        <StatusIndicator type="warning">{say.pending}</StatusIndicator>
        <Button
          disabled={isBusy}
          disabledReason={say.isRunning}
          {...refused(attachClusterPluginAlerts)}
          onClick={() => attaching.mutate({ uuid: pluginUuid })}
        >
          {say.attach}
        </Button>
      </SpaceBetween>
    )
  if (data.attachment === 'None') return null
  return (
    <>
      <Alert
        type="warning"
        header={say.manual}
        action={
          <Button {...refused(resetThirdpartyToken)} onClick={() => setAsked(true)}>
            {say.showToken}
          </Button>
        }
      >
        {say.manualMeans}
      </Alert>
      {isAsked ? (
        <Confirm
          title={say.showTokenTitle}
          consequences={say.showTokenMeans}
          action={say.showToken}
          onConfirm={async () => setToken((await alertPlatforms.resetToken(platformUuid)).token ?? undefined)}
          onDismiss={() => setAsked(false)}
        />
      ) : null}
      {token ? <PlatformSecret url={url} token={token} onDismiss={() => setToken(undefined)} /> : null}
    </>
  )
}
