import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import { linkTo } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { useHostCounts } from './counts.ts'
import { Donut, type Slice } from './Donut.tsx'
import { hostConditions } from './groups.ts'
import { messages } from './messages.ts'
import { Tile } from './Tile.tsx'

export function HostTile() {
  const t = useMessages(messages)
  const { counts, error } = useHostCounts()
  const slice = (group: keyof typeof counts, tone: Slice['tone']): Slice => ({
    label: t.hostGroups[group],
    count: counts[group] ?? 0,
    tone,
    href: linkTo(['hosts'], { q: hostConditions[group] }),
  })
  const isEmpty = Object.values(counts).every((count) => count === 0)
  return (
    <Tile title={t.hosts} href={linkTo(['hosts'])} error={error}>
      {isEmpty ? (
        <Box>
          {t.noHosts} <Link href={linkTo(['hosts', 'add'])}>{t.addHost}</Link>
        </Box>
      ) : (
        <Donut
          label={t.hosts}
          slices={[slice('up', 'good'), slice('connecting', 'inProgress'), slice('down', 'bad')]}
        />
      )}
    </Tile>
  )
}
