import { Status } from '../../components/Status.tsx'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { RolloutRecord } from './rollout-record.ts'

interface RolloutStatusProps {
  readonly rollout: Partial<Pick<RolloutRecord, 'state' | 'pauseReason'>>
  /** Without an icon. */
  readonly isPlain?: boolean
}

/** `Paused: too many failures` */
export function RolloutStatus({ rollout: { state, pauseReason }, isPlain = false }: RolloutStatusProps) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const name = pauseReason ? t.pausedFor(nameOf(state ?? ''), t.pauseReasons[pauseReason]) : nameOf(state ?? '')
  return isPlain ? name : <Status value={state} name={name} isJob />
}
