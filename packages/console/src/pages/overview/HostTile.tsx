import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import { linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { hostConditions, useHostCounts } from './counts.ts'
import { Donut, type Slice } from './Donut.tsx'
import { Tile } from './Tile.tsx'
import { words } from './words.ts'

export function HostTile() {
  const say = useWords(words)
  const { counts, error } = useHostCounts()
  const slice = (group: keyof typeof counts, look: Slice['look']): Slice => ({
    label: say.hostGroups[group],
    count: counts[group] ?? 0,
    look,
    href: linkTo(['hosts'], { q: hostConditions[group] }),
  })
  const isEmpty = Object.values(counts).every((count) => count === 0)
  return (
    <Tile title={say.hosts} href={linkTo(['hosts'])} error={error}>
      {isEmpty ? (
        <Box>
          {say.noHosts} <Link href={linkTo(['hosts', 'add'])}>{say.addHost}</Link>
        </Box>
      ) : (
        <Donut label={say.hosts} slices={[slice('up', 'good'), slice('connecting', 'moving'), slice('down', 'bad')]} />
      )}
    </Tile>
  )
}
