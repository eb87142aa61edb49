import { useState } from 'react'
import { downloadText } from '../../browser/download-text.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { plainLine } from './styled-spans.ts'

/** Saves the complete log as text, with the time of each line. */
export function useLogDownload(jobUuid: string): { isBusy: boolean; error: unknown; download(): void } {
  const wharf = useWharf()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const save = async (): Promise<void> => {
    const lines = await Array.fromAsync(wharf.job(jobUuid).log({ timestamps: true }))
    downloadText(`wharf-job-${jobUuid}.log`, lines.map((line) => `${plainLine(line)}\n`).join(''))
  }
  return {
    isBusy,
    error,
    download() {
      setBusy(true)
      setError(undefined)
      save()
        .catch(setError)
        .finally(() => setBusy(false))
    },
  }
}
