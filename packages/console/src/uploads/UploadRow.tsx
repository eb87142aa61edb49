import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import ProgressBar, { type ProgressBarProps } from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { linkTo } from '../frame/route.ts'
import { Confirm } from '../parts/Confirm.tsx'
import { Failure } from '../parts/Failure.tsx'
import { useWords } from '../words/words.ts'
import { percentOf, useProgressText } from './progress-text.ts'
import type { UploadItem } from './upload-queue.ts'
import { uploads } from './uploads.ts'
import { words } from './words.ts'

const looks: Partial<Record<UploadItem['state'], ProgressBarProps.Status>> = { done: 'success', failed: 'error' }

/** One file on its way: how far, how fast, and what can be done about it. */
export function UploadRow({ item }: { item: UploadItem }) {
  const say = useWords(words)
  const progressText = useProgressText()
  const [isAsking, setAsking] = useState(false)
  const { id, name, state, packageUuid } = item
  const isProcessing = state === 'processing'
  const told = state === 'sending' ? progressText(item) : isProcessing ? '' : progressText(item)
  return (
    <div className="upload-row">
      <ProgressBar
        label={name}
        description={say.states[state]}
        additionalInfo={told}
        value={isProcessing ? item.percent : percentOf(item)}
        status={looks[state] ?? 'in-progress'}
        resultText={
          state === 'done' ? (
            <Link href={linkTo(['packages', packageUuid ?? ''])}>{say.uploaded(name)}</Link>
          ) : (
            say.states.failed
          )
        }
      />
      {state === 'failed' ? <Failure error={item.failure} /> : null}
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          {state === 'sending' || state === 'waiting' ? (
            <Button ariaLabel={`${say.pause} ${name}`} iconName="pause" onClick={() => uploads.pause(id)}>
              {say.pause}
            </Button>
          ) : null}
          {state === 'paused' ? (
            <Button ariaLabel={`${say.resume} ${name}`} iconName="play" onClick={() => uploads.resume(id)}>
              {say.resume}
            </Button>
          ) : null}
          {state === 'failed' ? (
            <Button ariaLabel={`${say.retry} ${name}`} onClick={() => uploads.retry(id)}>
              {say.retry}
            </Button>
          ) : null}
          {state === 'done' || state === 'failed' ? (
            <Button ariaLabel={`${say.dismiss} ${name}`} onClick={() => uploads.dismiss(id)}>
              {say.dismiss}
            </Button>
          ) : (
            <Button ariaLabel={`${say.cancel} ${name}`} onClick={() => setAsking(true)}>
              {say.cancel}
            </Button>
          )}
        </SpaceBetween>
      </Box>
      {isAsking ? (
        <Confirm
          title={say.cancelTitle(name)}
          consequences={say.cancelMeans}
          action={say.cancelAction}
          onConfirm={() => uploads.cancel(id)}
          onDismiss={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
