import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import ProgressBar, { type ProgressBarProps } from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { percentOf } from './upload-progress.ts'
import { resultPath, type UploadItem } from './upload-queue.ts'
import { useProgressText } from './use-progress-text.ts'
import { uploads } from './use-uploads.ts'

const barStatus: Partial<Record<UploadItem['state'], ProgressBarProps.Status>> = { done: 'success', failed: 'error' }

/** A bar would show 0% while the server may have more. */
const unknownStatus: Partial<Record<UploadItem['state'], StatusIndicatorProps.Type>> = {
  waiting: 'pending',
  sending: 'loading',
  paused: 'stopped',
}

/** The progress of one upload, and its buttons. */
export function UploadRow({ item }: { item: UploadItem }) {
  const t = useMessages(messages)
  const progressText = useProgressText()
  const [isConfirming, setConfirming] = useState(false)
  const { id, name, state, isPublished } = item
  const isProcessing = state === 'processing'
  const details = isProcessing ? '' : progressText(item)
  const unknown = item.sentBytes === undefined ? unknownStatus[state] : undefined
  return (
    <div className="upload-row">
      {unknown ? (
        <div>
          <Box variant="awsui-key-label">{name}</Box>
          <StatusIndicator type={unknown} wrapText>
            {state === 'sending' ? t.checking : `${t.states[state]} · ${details}`}
          </StatusIndicator>
        </div>
      ) : (
        <ProgressBar
          label={name}
          description={t.states[state]}
          additionalInfo={details}
          value={isProcessing ? item.percent : percentOf(item)}
          status={barStatus[state] ?? 'in-progress'}
          resultText={
            state === 'done' ? (
              <Link href={linkTo(resultPath(item))}>{(isPublished ? t.published : t.uploaded)(name)}</Link>
            ) : (
              t.states.failed
            )
          }
        />
      )}
      {state === 'failed' ? <ErrorAlert error={item.failure} /> : null}
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          {state === 'sending' || state === 'waiting' ? (
            <Button ariaLabel={`${t.pause} ${name}`} iconName="pause" onClick={() => uploads.pause(id)}>
              {t.pause}
            </Button>
          ) : null}
          {state === 'paused' ? (
            <Button ariaLabel={`${t.resume} ${name}`} iconName="play" onClick={() => uploads.resume(id)}>
              {t.resume}
            </Button>
          ) : null}
          {state === 'failed' ? (
            <Button ariaLabel={`${t.retry} ${name}`} onClick={() => uploads.retry(id)}>
              {t.retry}
            </Button>
          ) : null}
          {state === 'done' || state === 'failed' ? (
            <Button ariaLabel={`${t.dismiss} ${name}`} onClick={() => uploads.dismiss(id)}>
              {t.dismiss}
            </Button>
          ) : (
            <Button ariaLabel={`${t.cancel} ${name}`} onClick={() => setConfirming(true)}>
              {t.cancel}
            </Button>
          )}
        </SpaceBetween>
      </Box>
      {isConfirming ? (
        <Confirm
          title={t.cancelTitle(name)}
          consequences={t.cancelConsequences}
          action={t.cancelAction}
          onConfirm={() => uploads.cancel(id)}
          onDismiss={() => setConfirming(false)}
        />
      ) : null}
    </div>
  )
}
