/** Tar by hand, byte for byte, so that every field can be wrong. */

export interface TarItem {
  readonly name: string | Buffer
  readonly type?: string
  readonly data?: Buffer | string
  /** Declared instead of the real one; a Buffer goes into the field as it is. */
  readonly size?: number | Buffer
  readonly link?: string
  readonly mode?: number
  readonly prefix?: string
  readonly dialect?: 'ustar' | 'gnu' | 'old'
  /** The last word, before the checksum is made. */
  readonly patch?: (block: Buffer) => void
}

const magics = { ustar: 'ustar\x0000', gnu: 'ustar  \0', old: '' }

const octal = (value: number, length: number): string => value.toString(8).padStart(length - 1, '0')

export function tarHeader({
  name,
  type = '0',
  data = '',
  link = '',
  mode = 0o644,
  prefix = '',
  ...rest
}: TarItem): Buffer {
  const { size = Buffer.byteLength(data), dialect = 'ustar', patch } = rest
  const block = Buffer.alloc(512)
  Buffer.from(name as string).copy(block, 0, 0, 100)
  block.write(octal(mode, 8), 100)
  block.write(octal(1000, 8), 108)
  block.write(octal(1000, 8), 116)
  if (typeof size === 'number') block.write(octal(size, 12), 124)
  else size.copy(block, 124)
  block.write(octal(1_700_000_000, 12), 136)
  block.write(type, 156, 'latin1')
  Buffer.from(link).copy(block, 157, 0, 100)
  block.write(magics[dialect], 257, 'latin1')
  Buffer.from(prefix).copy(block, 345, 0, 155)
  patch?.(block)
  block.write('        ', 148)
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${octal(sum, 7)}\0`, 148, 'latin1')
  return block
}

export const padded = (data: Buffer | string): Buffer => {
  const bytes = Buffer.from(data as string)
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

export const tarItem = (item: TarItem): Buffer => Buffer.concat([tarHeader(item), padded(item.data ?? '')])

export const tarEnd = Buffer.alloc(1024)

/** Items, or ready-made blocks, and the end mark. */
export const tarOf = (...items: (TarItem | Buffer)[]): Buffer => Buffer.concat([tarPart(...items), tarEnd])

/** Without the end mark. */
export const tarPart = (...items: (TarItem | Buffer)[]): Buffer =>
  Buffer.concat(items.map((item) => (Buffer.isBuffer(item) ? item : tarItem(item))))

export const folder = (name: string): TarItem => ({ name: `${name}/`, type: '5', mode: 0o755 })
export const file = (name: string, data: Buffer | string = 'hello\n'): TarItem => ({ name, data })
export const symlink = (name: string, link: string): TarItem => ({ name, type: '2', link, mode: 0o777 })
export const hardLink = (name: string, link: string): TarItem => ({ name, type: '1', link })

function paxRecord(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value as string), Buffer.from('\n')])
  let length = rest.length
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return Buffer.concat([Buffer.from(String(length)), rest])
}

/** An extended header for the next entry, or with type `g` for all. */
export const pax = (records: readonly (readonly [key: string, value: string | Buffer])[], type = 'x'): TarItem => ({
  name: 'PaxHeaders/x',
  type,
  data: Buffer.concat(records.map(([key, value]) => paxRecord(key, value))),
})

/** GNU's long name (`L`) or long target (`K`) for the next entry. */
export const gnuLong = (text: string, type: 'L' | 'K' = 'L'): TarItem => ({
  name: '././@LongLink',
  type,
  data: `${text}\0`,
  dialect: 'gnu',
})

/** GNU's oldest form of a sparse file, with up to four sections. */
export const oldSparse = (
  name: string,
  sections: readonly (readonly [number, number])[],
  fileBytes: number,
): TarItem => ({
  name,
  type: 'S',
  dialect: 'gnu',
  data: Buffer.alloc(
    sections.reduce((sum, [, bytes]) => sum + bytes, 0),
    'd',
  ),
  patch: (block) => {
    sections.forEach(([offset, bytes], index) => {
      block.write(`${octal(offset, 12)}\0${octal(bytes, 12)}\0`, 386 + index * 24, 'latin1')
    })
    block.write(octal(fileBytes, 12), 483)
  },
})

/** GNU's newest form: the map precedes the data. */
export const newSparse = (name: string, map: string, data: string, fileBytes: number): Buffer =>
  tarPart(
    pax([
      ['GNU.sparse.major', '1'],
      ['GNU.sparse.minor', '0'],
      ['GNU.sparse.name', name],
      ['GNU.sparse.realsize', String(fileBytes)],
    ]),
    { name: `GNUSparseFile.0/${name.slice(-60)}`, data: Buffer.concat([padded(map), Buffer.from(data)]) },
  )
