import Alert, { type AlertProps } from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { isActiveRollout } from '@wharf/contract'
import { parseTime } from '../../../components/parse-time.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { PauseText } from '../PauseText.tsx'
import { RolloutStatus } from '../RolloutStatus.tsx'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'
import { waveFailure } from './wave-failure.ts'

const alertTypes: Readonly<Partial<Record<RolloutRecord['state'], AlertProps.Type>>> = {
  AwaitingApproval: 'info',
  Scheduled: 'info',
  Paused: 'warning',
  RollingBack: 'warning',
  Failed: 'error',
  RollbackFailed: 'error',
}

/** The other reasons are complete in themselves. */
const detailedReasons: readonly (string | null)[] = ['Failures', 'Gate', 'Operator', null]

/** The state in words, what caused it, and how many hosts are done. */
export function RolloutState({ record }: { record: RolloutRecord }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { state, pauseReason, reason, startAt, stopMode, targetCount, succeededCount, failedCount, skippedCount } =
    record
  const type = alertTypes[state]
  const done = succeededCount + failedCount + skippedCount
  const progress = t.doneOf(format.number(succeededCount), format.number(failedCount), format.number(targetCount))
  const reasonText = (text: string): string => {
    const numbers = waveFailure(text)
    return numbers ? t.waveFailed(...numbers) : text
  }
  return (
    <SpaceBetween size="s">
      {/* the counts change too often to be read aloud */}
      <div aria-live="polite">
        {type ? (
          <Alert type={type} header={<RolloutStatus rollout={record} isPlain />}>
            {pauseReason ? <PauseText rollout={record} /> : null}
            {state === 'AwaitingApproval' ? t.needsApproval : null}
            {state === 'RollbackFailed' ? t.rollbackFailed : null}
            {state === 'Scheduled' && startAt ? t.startsAt(format.moment(parseTime(startAt))) : null}
            {reason && detailedReasons.includes(pauseReason) ? (
              <div className="error-text">{t.because(reasonText(reason))}</div>
            ) : null}
          </Alert>
        ) : (
          <Box>
            <RolloutStatus rollout={record} />
            {stopMode && isActiveRollout(state) ? ` ${t.stopping[stopMode]}` : null}
            {reason && !isActiveRollout(state) ? <div>{t.because(reasonText(reason))}</div> : null}
          </Box>
        )}
      </div>
      {isActiveRollout(state) ? (
        <ProgressBar
          value={targetCount === 0 ? 100 : Math.floor((done / targetCount) * 100)}
          label={t.progress}
          additionalInfo={progress}
        />
      ) : (
        <Box color="text-body-secondary">{progress}</Box>
      )}
    </SpaceBetween>
  )
}
