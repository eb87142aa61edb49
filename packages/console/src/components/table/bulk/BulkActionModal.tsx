import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { CopyAsCommand } from '../../copy-command/CopyAsCommand.tsx'
import { messages } from '../messages.ts'
import { BulkRowList } from './BulkRowList.tsx'
import type { BulkAction } from './bulk-action.ts'
import { countOf, readyCalls } from './bulk-rows.ts'
import { useBulkRun } from './use-bulk-run.ts'

interface BulkActionModalProps<R> {
  readonly action: BulkAction<R>
  readonly records: readonly R[]
  readonly keyOf: (record: R) => string
  readonly nameOf: (record: R) => string
  readonly onDismiss: (hasRun: boolean) => void
}

/** Confirms a bulk action with the names of its records, then shows the result of each. */
export function BulkActionModal<R>({ action, records, keyOf, nameOf, onDismiss }: BulkActionModalProps<R>) {
  const t = useMessages(messages)
  const format = useFormat()
  const { rows, phase, start, stop } = useBulkRun(action, records, keyOf)
  const ready = countOf(rows, 'ready')
  const failed = countOf(rows, 'failed')
  const ended = countOf(rows, 'succeeded', 'failed')
  const started = ended + ready + countOf(rows, 'running')
  const isConfirming = phase === 'preparing' || phase === 'confirm'
  const notReady = ready === 0 && phase === 'confirm' ? t.noneApplies : action.formProblem
  const dismiss = (): void => {
    const close = (): void => {
      action.draft?.discard()
      onDismiss(!isConfirming)
    }
    if (isConfirming && action.draft) action.draft.leave(close)
    else close()
  }
  const calls = readyCalls(action, rows)
  return (
    <Modal
      visible
      size="large"
      header={t.bulkTitle(action.label, format.number(records.length))}
      closeAriaLabel={t.close}
      // rows that have not started would never start without the dialog
      onDismiss={phase === 'running' ? stop : dismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {buttons()}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {isConfirming ? (
          <SpaceBetween size="m">
            <Box>{action.consequences}</Box>
            {action.form}
          </SpaceBetween>
        ) : (
          <div role="status">
            <ProgressBar
              value={started === 0 ? 100 : (100 * ended) / started}
              label={phase === 'finished' ? t.finished : t.inProgress}
              description={t.results(format.number(ended - failed), format.number(failed), format.number(started))}
              additionalInfo={phase === 'ending' ? t.runsInBackground : undefined}
            />
          </div>
        )}
        <BulkRowList rows={rows} nameOf={nameOf} label={action.label} />
      </SpaceBetween>
    </Modal>
  )

  /** Not a fragment, which would be one child without space between its buttons. */
  function buttons() {
    if (isConfirming)
      return [
        ...(calls.length > 0 ? [<CopyAsCommand key="copy" calls={calls} />] : []),
        <Button key="cancel" variant="link" onClick={dismiss}>
          {t.cancel}
        </Button>,
        <Button
          key="start"
          variant="primary"
          loading={phase === 'preparing'}
          disabled={notReady !== undefined}
          {...(notReady !== undefined && { disabledReason: notReady })}
          onClick={start}
        >
          {t.bulkConfirm(action.label, format.number(ready))}
        </Button>,
      ]
    if (phase === 'running') return <Button onClick={stop}>{t.stop}</Button>
    const again = labelToContinue()
    return [
      ...(again === undefined
        ? []
        : [
            <Button key="again" onClick={start}>
              {again}
            </Button>,
          ]),
      <Button key="close" variant="primary" onClick={dismiss}>
        {t.close}
      </Button>,
    ]
  }

  /** Undefined when nothing is left to run, or rows still run. */
  function labelToContinue(): string | undefined {
    if (phase === 'ending') return undefined
    if (ready > 0) return t.resume(format.number(ready))
    return failed > 0 ? t.retryFailed(format.number(failed)) : undefined
  }
}
