import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from '../messages.ts'
import { ExportModal } from './ExportModal.tsx'
import type { ExportFormat } from './export-records.ts'
import type { ExportSource } from './export-source.ts'

/** Exports all records that match the filter. */
export function ExportMenu<R>(props: ExportSource<R>) {
  const t = useMessages(messages)
  const [format, setFormat] = useState<ExportFormat>()
  return (
    <>
      <ButtonDropdown
        variant="icon"
        iconName="download"
        ariaLabel={t.export}
        disabled={props.total === 0}
        disabledReason={t.nothingToExport}
        items={[
          { id: 'csv', text: t.exportCsv, secondaryText: t.exportCsvHelp },
          { id: 'json', text: t.exportJson, secondaryText: t.exportJsonHelp },
        ]}
        onItemClick={({ detail }) => setFormat(detail.id === 'json' ? 'json' : 'csv')}
      />
      {format ? <ExportModal {...props} format={format} onDismiss={() => setFormat(undefined)} /> : null}
    </>
  )
}
