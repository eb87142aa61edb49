import Box from '@cloudscape-design/components/box'
import { useFormat } from '../i18n/use-format.ts'
import { useMessages } from '../i18n/use-messages.ts'
import './capacity.css'
import { capacityUse } from './capacity-use.ts'
import { messages } from './messages.ts'

interface CapacityProps {
  readonly total: number | undefined
  readonly available: number | undefined
}

/** The text that every capacity has: used and free space. */
export function CapacityText({ total, available }: { readonly total: number; readonly available: number }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { share } = capacityUse(total, available)
  const bytes = (count: number): string => format.bytes(count)
  return (
    <>
      <span className="capacity-part">{t.capacityUsed(bytes(total - available), format.percent(share))} ·</span>{' '}
      <span className="capacity-part">{t.capacityFree(bytes(available))}</span>
    </>
  )
}

/** Used and free space as a bar. A total of 0 means unknown. */
export function Capacity({ total = 0, available = 0 }: CapacityProps) {
  const t = useMessages(messages)
  if (total === 0) return <Box color="text-body-secondary">{t.capacityUnknown}</Box>
  const { share, level } = capacityUse(total, available)
  return (
    <div className="capacity">
      {/* the text below has the same content */}
      <div className={`capacity-bar capacity-${level}`} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </div>
      <span className="capacity-text">
        <CapacityText total={total} available={available} />
      </span>
    </div>
  )
}
