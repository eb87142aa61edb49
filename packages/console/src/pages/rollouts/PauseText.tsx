import { parseTime } from '../../components/parse-time.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { RolloutRecord } from './rollout-record.ts'

/** Why a rollout is paused, and what makes it continue. */
export function PauseText({ rollout }: { rollout: Pick<RolloutRecord, 'pauseReason' | 'pausedUntil'> }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { pauseReason, pausedUntil } = rollout
  if (!pauseReason) return null
  if (pauseReason === 'Window' && pausedUntil) return <>{t.untilWindow(format.moment(parseTime(pausedUntil)))}</>
  return <>{t.pauseExplanation[pauseReason]}</>
}
