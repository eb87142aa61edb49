import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import { type AuditExportFormat, auditExportFormats } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { downloadBlob } from '../../browser/download-blob.ts'
import { downloadText } from '../../browser/download-text.ts'
import { CopiedText } from '../../components/CopiedText.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { type AuditPeriod, auditPeriods, startOf } from './audit-period.ts'
import { blobOf, fileNames, verifyCommand } from './export-file.ts'
import { messages } from './messages.ts'

/** Downloads the trail as the server exports it; closing the dialog cancels the export. */
export function ExportTrail({ onDismiss }: { onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const figures = useFormat()
  const [now] = useState(Date.now)
  const [format, setFormat] = useState<AuditExportFormat>('ndjson')
  const [period, setPeriod] = useState<AuditPeriod>('all')
  const [bytes, setBytes] = useState(0)
  const [stop] = useState(() => new AbortController())
  useEffect(() => () => stop.abort(), [stop])
  const from = startOf(period, now)
  const periods = auditPeriods.map((value) => ({ value, label: t.periods[value] }))
  const download = async (): Promise<void> => {
    setBytes(0)
    const { signal } = stop
    const digests = format === 'ndjson' ? await wharf.exportAuditDigests({ from, signal }) : undefined
    const file = await blobOf(wharf.exportAuditEntries({ from, format, signal }), format, setBytes)
    downloadBlob(fileNames[format], file)
    if (digests !== undefined) downloadText(`${fileNames[format]}.digests`, digests)
  }
  const downloadKey = async (): Promise<void> =>
    downloadText('wharf-audit.pem', (await wharf.auditDigests.publicKey()).publicKey)
  return (
    <FormModal title={t.exportTitle} action={t.export} isReady onSubmit={download} onDismiss={onDismiss}>
      <FormField label={t.format}>
        <RadioGroup
          value={format}
          items={auditExportFormats.map((value) => ({
            value,
            label: t.formats[value].name,
            description: t.formats[value].description,
          }))}
          onChange={({ detail }) => setFormat(detail.value as AuditExportFormat)}
        />
      </FormField>
      <FormField label={t.period} constraintText={bytes > 0 ? t.received(figures.bytes(bytes)) : undefined}>
        <Select
          options={periods}
          selectedOption={periods.find(({ value }) => value === period) ?? null}
          onChange={({ detail }) => setPeriod(detail.selectedOption.value as AuditPeriod)}
        />
      </FormField>
      {format === 'ndjson' ? (
        <Alert type="info" header={t.verify} action={<Button onClick={() => void downloadKey()}>{t.publicKey}</Button>}>
          {t.verifyHelp}
          <br />
          <CopiedText text={verifyCommand(from)} />
        </Alert>
      ) : null}
    </FormModal>
  )
}
