/** A rectangle in percent of the width and height. */
export interface Tile {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Keeps the smallest tiles visible and clickable. */
const leastShare = 0.01

/**
 * One tile for each size, in the order given (largest first), by area and as near to squares as rows allow
 * (Bruls, Huizing, van Wijk: Squarified Treemaps). `aspect` is width over height of the whole picture.
 */
export function treemap(sizes: readonly number[], aspect: number): Tile[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const lifted = sizes.map((size) => Math.max(size, total * leastShare) || 1)
  const sum = lifted.reduce((all, size) => all + size, 0)
  // areas of a rectangle of `aspect` by 1
  const areas = lifted.map((size) => (size / sum) * aspect)
  const tiles: Tile[] = []
  let [left, top, width, height] = [0, 0, aspect, 1]
  for (let start = 0; start < areas.length; ) {
    const side = Math.min(width, height)
    let end = start + 1
    while (end < areas.length && worst(areas.slice(start, end + 1), side) <= worst(areas.slice(start, end), side)) end++
    const row = areas.slice(start, end)
    const thickness = row.reduce((all, area) => all + area, 0) / side
    let along = 0
    for (const area of row) {
      const length = area / thickness
      const tile =
        width >= height
          ? { left, top: top + along, width: thickness, height: length }
          : { left: left + along, top, width: length, height: thickness }
      tiles.push({
        left: (tile.left / aspect) * 100,
        top: tile.top * 100,
        width: (tile.width / aspect) * 100,
        height: tile.height * 100,
      })
      along += length
    }
    if (width >= height) [left, width] = [left + thickness, width - thickness]
    else [top, height] = [top + thickness, height - thickness]
    start = end
  }
  return tiles
}

/** The worst aspect ratio of a row. */
function worst(areas: readonly number[], side: number): number {
  const sum = areas.reduce((all, area) => all + area, 0)
  return Math.max(
    ...areas.map((area) => Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area))),
  )
}
