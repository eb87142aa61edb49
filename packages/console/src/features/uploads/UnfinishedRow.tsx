import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FileInput from '@cloudscape-design/components/file-input'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { fileKey } from './file-key.ts'
import { messages } from './messages.ts'
import type { UnfinishedUpload } from './unfinished-upload.ts'
import { percentOf } from './upload-progress.ts'
import { uploads } from './use-uploads.ts'

export function UnfinishedRow({ upload }: { upload: UnfinishedUpload }) {
  const t = useMessages(messages)
  const format = useFormat()
  const wharf = useWharf()
  const [isConfirming, setConfirming] = useState(false)
  const [isAnother, setAnother] = useState(false)
  const { sentBytes, hasFailed } = useSentBytes(upload)
  const { fileName, key, destination, packageUuid, file } = upload
  const name = destination.name ?? fileName
  const goOn = (chosen: File | undefined): void => {
    if (chosen === undefined) return
    const isSame = fileKey(chosen) === key
    setAnother(!isSame)
    if (isSame) uploads.add(wharf, chosen, destination)
  }
  return (
    <div className="upload-row">
      <SpaceBetween size="xs">
        {sentBytes === undefined ? (
          <div>
            <Box variant="awsui-key-label">{name}</Box>
            <StatusIndicator type={hasFailed ? 'warning' : 'loading'} wrapText>
              {hasFailed ? t.notChecked : t.checking}
            </StatusIndicator>
          </div>
        ) : (
          <ProgressBar
            label={name}
            description={fileName}
            value={percentOf({ sentBytes, totalBytes: file.size })}
            additionalInfo={t.received(format.bytes(sentBytes), format.bytes(file.size))}
          />
        )}
        {isAnother ? <Alert type="warning">{t.anotherFile(fileName)}</Alert> : null}
        <SpaceBetween direction="horizontal" size="xs">
          <FileInput value={[]} ariaLabel={t.chooseFor(fileName)} onChange={({ detail }) => goOn(detail.value[0])}>
            {t.choose}
          </FileInput>
          <Button ariaLabel={`${t.discard} ${name}`} onClick={() => setConfirming(true)}>
            {t.discard}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
      {isConfirming ? (
        <Confirm
          title={t.discardTitle(name)}
          consequences={t.cancelConsequences}
          action={t.discard}
          onConfirm={() => wharf.softwarePackages.delete(packageUuid, { deleteMode: 'Enforcing' })}
          onDismiss={() => setConfirming(false)}
        />
      ) : null}
    </div>
  )
}

/** The number of bytes that the server has received; undefined while it is unknown. */
function useSentBytes({ packageUuid, uploadPath }: UnfinishedUpload): {
  sentBytes: number | undefined
  hasFailed: boolean
} {
  const wharf = useWharf()
  const { data, isError } = useQuery({
    queryKey: ['upload offset', packageUuid],
    queryFn: async ({ signal }) => {
      const [path = '', query] = uploadPath.split('?', 2)
      const headers = { 'tus-resumable': '1.0.0' }
      const answer = await wharf.request({ method: 'HEAD', path, query, headers, signal })
      const offset = answer.headers.get('upload-offset')
      if (offset === null) throw new Error('the response has no Upload-Offset header')
      return Number(offset)
    },
  })
  return { sentBytes: data, hasFailed: isError }
}
