const mebibyte = 1024 * 1024

/** An object has at most 10,000 parts. */
const partsPerStage = 1000
const firstBytes = 8 * mebibyte
const growthBytes = 24 * mebibyte

/**
 * How large the next part is. A part is held in memory until it has arrived, so parts are small; and since nobody says
 * how large the whole will be, they grow: 10,000 of them hold more than the largest package.
 */
export const partBytes = (index: number): number => firstBytes + Math.floor(index / partsPerStage) * growthBytes

/** On the way at once, beside the one that is being filled. */
export const partsOnTheWay = 2
