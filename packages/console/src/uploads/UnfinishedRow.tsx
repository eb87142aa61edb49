import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FileInput from '@cloudscape-design/components/file-input'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../parts/Confirm.tsx'
import { useWharf } from '../wharf/wharf.tsx'
import { useFigures } from '../words/figures.ts'
import { useWords } from '../words/words.ts'
import { fileKey } from './file-key.ts'
import { percentOf } from './progress-text.ts'
import type { UnfinishedUpload } from './read-unfinished.ts'
import { uploads } from './uploads.ts'
import { words } from './words.ts'

/** An upload that waits for its file to be chosen again. */
export function UnfinishedRow({ upload }: { upload: UnfinishedUpload }) {
  const say = useWords(words)
  const figures = useFigures()
  const wharf = useWharf()
  const [isAsking, setAsking] = useState(false)
  const [isAnother, setAnother] = useState(false)
  const sentBytes = useSentBytes(upload)
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
        <ProgressBar
          label={name}
          description={fileName}
          value={percentOf({ sentBytes, totalBytes: file.size })}
          additionalInfo={say.there(figures.bytes(sentBytes), figures.bytes(file.size))}
        />
        {isAnother ? <Alert type="warning">{say.anotherFile(fileName)}</Alert> : null}
        <SpaceBetween direction="horizontal" size="xs">
          <FileInput value={[]} ariaLabel={say.chooseFor(fileName)} onChange={({ detail }) => goOn(detail.value[0])}>
            {say.choose}
          </FileInput>
          <Button ariaLabel={`${say.discard} ${name}`} onClick={() => setAsking(true)}>
            {say.discard}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
      {isAsking ? (
        <Confirm
          title={say.discardTitle(name)}
          consequences={say.cancelMeans}
          action={say.discard}
          onConfirm={() => wharf.softwarePackages.delete(packageUuid, { deleteMode: 'Enforcing' })}
          onDismiss={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

/** How much the server has, by the word of its upload address. */
function useSentBytes({ packageUuid, uploadPath }: UnfinishedUpload): number {
  const wharf = useWharf()
  const { data = 0 } = useQuery({
    queryKey: ['upload offset', packageUuid],
    queryFn: async ({ signal }) => {
      const [path = '', query] = uploadPath.split('?', 2)
      const headers = { 'tus-resumable': '1.0.0' }
      const answer = await wharf.request({ method: 'HEAD', path, query, headers, signal })
      return Number(answer.headers.get('upload-offset') ?? 0)
    },
  })
  return data
}
