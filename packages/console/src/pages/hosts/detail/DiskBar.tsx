import Box from '@cloudscape-design/components/box'
import { CapacityText } from '../../../components/Capacity.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { diskUse, startsOf } from './disk-use.ts'
import { messages } from './messages.ts'

interface DiskBarProps {
  readonly title: string
  readonly total: number
  readonly free: number
  readonly packages: number
}

/** A file system as a bar: packages, other data, free space. */
export function DiskBar({ title, total, free, packages }: DiskBarProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const { used, other } = diskUse({ total, free, packages })
  const parts = [
    { label: t.used, bytes: used, fill: 'var(--disk-file)' },
    { label: t.other, bytes: other, fill: 'var(--disk-other)' },
    { label: t.free, bytes: free, fill: 'var(--disk-free)' },
  ]
  const starts = startsOf(parts.map(({ bytes }) => bytes))
  return (
    <div className="disk">
      <Box margin={{ bottom: 'xs' }}>
        <strong>{title}</strong> · <CapacityText total={total} available={free} />
      </Box>
      <svg
        className="disk-bar"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={t.bar(format.bytes(used), format.bytes(other), format.bytes(free))}
      >
        {parts.map(({ label, bytes, fill }, index) => (
          <rect
            key={label}
            x={((starts[index] ?? 0) / total) * 100}
            width={(bytes / total) * 100}
            height="10"
            fill={fill}
          />
        ))}
        <rect width="100" height="10" fill="none" stroke="var(--disk-edge)" vectorEffect="non-scaling-stroke" />
      </svg>
      <ul className="disk-legend">
        {parts.map(({ label, bytes, fill }) => (
          <li key={label}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect x="0.5" y="0.5" width="9" height="9" rx="2" fill={fill} stroke="var(--disk-edge)" />
            </svg>
            {label} {format.bytes(bytes)} ({format.percent(bytes / total)})
          </li>
        ))}
      </ul>
    </div>
  )
}
