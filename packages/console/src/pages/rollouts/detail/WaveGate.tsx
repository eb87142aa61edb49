import { useNow } from '../../../browser/use-now.ts'
import { parseTime } from '../../../components/parse-time.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'
import type { Wave } from './use-rollout-parts.ts'

interface WaveGateProps {
  readonly rollout: RolloutRecord
  readonly wave: Wave
  readonly isLast: boolean
}

/** What must hold before the next wave starts; while the wave soaks, how long. */
export function WaveGate({ rollout, wave, isLast }: WaveGateProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const { maxFailures, soakSeconds, alertPlatformUuids, promotion } = rollout
  const parts = [
    t.gateFailures(maxFailures),
    ...(soakSeconds > 0 ? [t.gateSoak(format.duration(soakSeconds * 1000))] : []),
    ...(alertPlatformUuids.length > 0 ? [t.gateAlerts(alertPlatformUuids.length)] : []),
    ...(promotion === 'manual' && !isLast ? [t.gatePromotion] : []),
  ]
  return (
    <p className="wave-gate">
      {wave.state === 'Soaking' && wave.soakUntil ? <SoakCountdown until={wave.soakUntil} /> : null}
      {wave.state === 'AwaitingPromotion' ? <strong>{t.awaitsPromotion} </strong> : null}
      {t.gate(parts.join(t.comma))}
    </p>
  )
}

function SoakCountdown({ until }: { until: string }) {
  const t = useMessages(messages)
  const format = useFormat()
  const remainingMs = parseTime(until).getTime() - useNow(1000)
  return (
    <strong>{remainingMs > 0 ? t.soaking(format.duration(Math.ceil(remainingMs / 1000) * 1000)) : t.verifying} </strong>
  )
}
