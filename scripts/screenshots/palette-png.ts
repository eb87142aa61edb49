import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signatureBytes = 8
const maxColours = 256

/** The image with its 256 most frequent colours: a third of the size, with hardly a visible difference. */
export function palettePng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const head = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13)
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const channels = { 2: 3, 6: 4 }[head[9] ?? 0]
  if (channels === undefined) throw new Error('the image does not have 8 bits per colour')
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const colours = coloursOf(inflateSync(Buffer.concat(packed)), { width, height, channels })
  const palette = mostFrequent(colours)
  const known = new Map(palette.map((colour, index) => [colour, index]))
  const rows = Buffer.alloc((width + 1) * height)
  colours.forEach((colour, index) => {
    const found = known.get(colour) ?? nearest(colour, palette)
    known.set(colour, found)
    rows[index + Math.floor(index / width) + 1] = found
  })
  const indexed = Buffer.concat([head.subarray(0, 8), Buffer.from([8, 3, 0, 0, 0])])
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    chunk('IHDR', indexed),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [...partsOf(colour)]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** Each row is encoded as differences from its neighbours; PNG specification, 9.2. */
function coloursOf(rows: Buffer, { width, height, channels }: { width: number; height: number; channels: number }) {
  const stride = width * channels
  const pixels = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= channels ? (pixels[at - channels] ?? 0) : 0
      const above = y > 0 ? (pixels[at - stride] ?? 0) : 0
      const corner = x >= channels && y > 0 ? (pixels[at - stride - channels] ?? 0) : 0
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0
      pixels[at] = (rows[at + y + 1] ?? 0) + guess
    }
  }
  return Uint32Array.from({ length: width * height }, (_, index) => pixels.readUIntBE(index * channels, 3))
}

function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(left + above - corner - one))
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner
}

function mostFrequent(colours: Uint32Array): number[] {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  return sorted.slice(0, maxColours).map(([colour]) => colour)
}

const partsOf = (colour: number): readonly [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255]

function nearest(colour: number, palette: readonly number[]): number {
  const [r, g, b] = partsOf(colour)
  let best = { index: 0, distance: Number.POSITIVE_INFINITY }
  palette.forEach((other, index) => {
    const [r2, g2, b2] = partsOf(other)
    const distance = (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2
    if (distance < best.distance) best = { index, distance }
  })
  return best.index
}
