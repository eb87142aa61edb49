import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import { useEffect, useRef, useState } from 'react'
import { downloadBlob } from '../../../browser/download-blob.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { ErrorAlert } from '../../ErrorAlert.tsx'
import { messages } from '../messages.ts'
import { type ExportFormat, exportRecords } from './export-records.ts'
import type { ExportSource } from './export-source.ts'

interface ExportModalProps<R> extends ExportSource<R> {
  readonly format: ExportFormat
  readonly onDismiss: () => void
}

/** Reads all records, shows the progress, and downloads the file; closing it cancels the export. */
export function ExportModal<R>({ name, columns, total, readAll, format, onDismiss }: ExportModalProps<R>) {
  const t = useMessages(messages)
  const figures = useFormat()
  const [count, setCount] = useState(0)
  const [error, setError] = useState<unknown>()
  const start = useRef(async (signal: AbortSignal): Promise<void> => {
    const pages = readAll(signal)
    const file = await exportRecords({ format, columns, pages, signal, onProgress: setCount })
    downloadBlob(`${name}.${format}`, file)
    onDismiss()
  })
  useEffect(() => {
    const cancelled = new AbortController()
    start.current(cancelled.signal).catch((reason) => {
      if (!cancelled.signal.aborted) setError(reason)
    })
    return () => cancelled.abort()
  }, [])
  const counts = t.exported(figures.number(count), total === undefined ? t.unknownTotal : figures.number(total))
  return (
    <Modal
      visible
      header={t.exporting}
      closeAriaLabel={t.cancel}
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <Button onClick={onDismiss}>{error ? t.close : t.cancel}</Button>
        </Box>
      }
    >
      {error ? (
        <ErrorAlert error={error} />
      ) : (
        <ProgressBar
          value={total ? Math.min(100, (100 * count) / total) : 0}
          description={counts}
          label={t.exporting}
        />
      )}
    </Modal>
  )
}
