import Box from '@cloudscape-design/components/box'
import type { CSSProperties } from 'react'
import { linkTo } from '../../../browser/route.ts'
import { useIsNarrow } from '../../../browser/use-is-narrow.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type Entry, entriesIn, firstBranchingFolder, type StoredFile } from './folders.ts'
import { messages } from './messages.ts'
import { type Tile, treemap } from './treemap.ts'

interface DiskMapProps {
  readonly files: readonly StoredFile[]
  readonly folder: string
  readonly linkToFolder: (path: string) => string
}

/** More tiles would be unreadable. */
const maxTiles = 40
/** The approximate aspect ratio decides the direction of rows. */
const aspects = { wide: 2.6, narrow: 0.95 }

const placeOf = ({ left, top, width, height }: Tile): CSSProperties => ({
  insetInlineStart: `${left}%`,
  top: `${top}%`,
  width: `${width}%`,
  height: `${height}%`,
})

function drawn(files: readonly StoredFile[], folder: string, shape: number) {
  const entries = entriesIn(files, folder)
  const shown = entries.slice(0, maxTiles)
  const sizes = shown.map(({ size }) => size)
  const tiles = treemap(sizes, shape)
  return {
    hidden: entries.slice(maxTiles),
    shown: shown.flatMap((entry, i) => (tiles[i] ? [{ entry, tile: tiles[i] }] : [])),
  }
}

/** A treemap of links: a folder opens its next level, a file opens its package. */
export function DiskMap({ files, folder, linkToFolder }: DiskMapProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const aspect = useIsNarrow() ? aspects.narrow : aspects.wide
  const { shown, hidden } = drawn(files, folder, aspect)
  if (shown.length === 0) return <Box color="text-body-secondary">{t.noFiles}</Box>
  const detailOf = ({ size, files: count, packageUuid }: Entry): string =>
    packageUuid === undefined ? `${format.bytes(size)} · ${t.files(count)}` : format.bytes(size)
  return (
    <div className="disk">
      <ul className="disk-map">
        {shown.map(({ entry, tile }) => {
          const { path, name, packageUuid } = entry
          const inner = firstBranchingFolder(files, path)
          return (
            <li key={path} style={placeOf(tile)}>
              <a
                className={packageUuid === undefined ? 'disk-tile folder' : 'disk-tile'}
                href={packageUuid === undefined ? linkToFolder(inner) : linkTo(['packages', packageUuid])}
                title={`${path} · ${detailOf(entry)}`}
              >
                <span className="tile-name">{name}</span>
                <span>{detailOf(entry)}</span>
                {packageUuid === undefined ? (
                  <Inside files={files} folder={inner} shape={(aspect * tile.width) / tile.height} />
                ) : null}
              </a>
            </li>
          )
        })}
      </ul>
      {hidden.length > 0 ? (
        <Box variant="small" color="text-body-secondary">
          {t.smaller(
            format.number(hidden.reduce((sum, { files: count }) => sum + count, 0)),
            format.bytes(hidden.reduce((sum, { size }) => sum + size, 0)),
          )}
        </Box>
      ) : null}
    </div>
  )
}

/** A preview of the next level. */
const Inside = ({ files, folder, shape }: { files: readonly StoredFile[]; folder: string; shape: number }) => (
  <span className="disk-inside" aria-hidden="true">
    {drawn(files, folder, shape).shown.map(({ entry: { path, name, packageUuid }, tile }) => (
      <span key={path} className="inner-place" style={placeOf(tile)}>
        <span className={packageUuid === undefined ? 'inner-tile folder' : 'inner-tile'}>{name}</span>
      </span>
    ))}
  </span>
)
