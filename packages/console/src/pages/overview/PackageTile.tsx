import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import { linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { packageConditions, usePackageCounts } from './counts.ts'
import { Donut, type Slice } from './Donut.tsx'
import { Tile } from './Tile.tsx'
import { words } from './words.ts'

export function PackageTile() {
  const say = useWords(words)
  const { counts, error } = usePackageCounts()
  const slice = (group: keyof typeof counts, look: Slice['look']): Slice => ({
    label: say.packageGroups[group],
    count: counts[group] ?? 0,
    look,
    href: linkTo(['packages'], { q: packageConditions[group] }),
  })
  const isEmpty = Object.values(counts).every((count) => count === 0)
  const slices = [
    slice('installed', 'good'),
    slice('uploaded', 'calm'),
    slice('moving', 'moving'),
    slice('failed', 'bad'),
  ]
  return (
    <Tile title={say.packages} href={linkTo(['packages'])} error={error}>
      {isEmpty ? (
        <Box>
          {say.noPackages} <Link href={linkTo(['packages'], { upload: 'yes' })}>{say.uploadPackage}</Link>
        </Box>
      ) : (
        <Donut label={say.packages} slices={slices} />
      )}
    </Tile>
  )
}
