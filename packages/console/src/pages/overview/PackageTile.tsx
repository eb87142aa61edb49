import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { linkTo } from '../../browser/route.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { usePackageCounts, useUnhealthyCount } from './counts.ts'
import { Donut, type Slice } from './Donut.tsx'
import { packageConditions, unhealthyCondition } from './groups.ts'
import { messages } from './messages.ts'
import { Tile } from './Tile.tsx'

export function PackageTile() {
  const t = useMessages(messages)
  const format = useFormat()
  const { counts, error } = usePackageCounts()
  const unhealthy = useUnhealthyCount()
  const slice = (group: keyof typeof counts, tone: Slice['tone']): Slice => ({
    label: t.packageGroups[group],
    count: counts[group] ?? 0,
    tone,
    href: linkTo(['packages'], { q: packageConditions[group] }),
  })
  const isEmpty = Object.values(counts).every((count) => count === 0)
  const slices = [
    slice('installed', 'good'),
    slice('uploaded', 'calm'),
    slice('inProgress', 'inProgress'),
    slice('failed', 'bad'),
  ]
  return (
    <Tile title={t.packages} href={linkTo(['packages'])} error={error}>
      {isEmpty ? (
        <Box>
          {t.noPackages} <Link href={linkTo(['packages'], { upload: 'yes' })}>{t.uploadPackage}</Link>
        </Box>
      ) : (
        <>
          <Donut label={t.packages} slices={slices} />
          {unhealthy > 0 ? (
            <StatusIndicator type="error">
              <Link href={linkTo(['packages'], { q: unhealthyCondition })}>
                {t.unhealthy(format.number(unhealthy))}
              </Link>
            </StatusIndicator>
          ) : null}
        </>
      )}
    </Tile>
  )
}
