import Button from '@cloudscape-design/components/button'
import type { FlashbarProps } from '@cloudscape-design/components/flashbar'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { linkTo, navigate, usePath } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { activeUploadsLabel, isUnsent } from './active-uploads-label.ts'
import { CopyErrorButton, FlashError } from './FlashError.tsx'
import { messages } from './messages.ts'
import { percentOf, totalProgress } from './upload-progress.ts'
import { resultPath, type UploadItem } from './upload-queue.ts'
import { useProgressText } from './use-progress-text.ts'
import { uploads, useUploads } from './use-uploads.ts'

/** Notifications about the uploads of this tab; none on the packages page, which lists them. */
export function useUploadFlashes(): FlashbarProps.MessageDefinition[] {
  const t = useMessages(messages)
  const progressText = useProgressText()
  const items = useUploads()
  const path = usePath()
  if (path[0] === 'packages' && path.length === 1) return []
  // processing after the last byte is shown as a job
  const moving = items.filter(isUnsent)
  const flashes = items.flatMap((item) => flashOf(item) ?? [])
  if (moving.length === 0) return flashes
  const all = totalProgress(moving)
  const label = activeUploadsLabel(moving, t)
  return [
    {
      id: 'uploads',
      type: 'in-progress',
      ...(all.sentBytes === undefined
        ? { loading: true, content: `${label} · ${t.checking}` }
        : {
            content: (
              <ProgressBar variant="flash" value={percentOf(all)} label={label} additionalInfo={progressText(all)} />
            ),
          }),
      action: <Button onClick={() => navigate(linkTo(['packages']))}>{t.show}</Button>,
    },
    ...flashes,
  ]

  function flashOf(item: UploadItem): FlashbarProps.MessageDefinition | undefined {
    const { id, state, name, isPublished, failure } = item
    const common = {
      id: `upload ${id}`,
      dismissible: true,
      dismissLabel: t.dismiss,
      onDismiss: () => uploads.dismiss(id),
    }
    if (state === 'done')
      return {
        ...common,
        type: 'success',
        content: (
          <Link color="inverted" href={linkTo(resultPath(item))}>
            {(isPublished ? t.published : t.uploaded)(name)}
          </Link>
        ),
      }
    if (state !== 'failed') return undefined
    const content = <FlashError failure={failure} />
    const action = (
      <SpaceBetween direction="horizontal" size="xs">
        <CopyErrorButton failure={failure} />
        <Button onClick={() => uploads.retry(id)}>{t.retry}</Button>
      </SpaceBetween>
    )
    return { ...common, type: 'error', header: (isPublished ? t.notPublished : t.notUploaded)(name), content, action }
  }
}
