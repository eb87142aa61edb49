/** What makes a file the same one for whoever chooses it again: a page never learns its path. */
export interface FileIdentity {
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

const prefix = 'page'

/** The key that an upload is found again by, in another tab too. It is read by others, so the name stands hashed in it. */
export const fileKey = ({ name, size, lastModified }: FileIdentity): string =>
  `${prefix}-${size}-${lastModified}-${hashOf(name)}`

/** What a key tells of its file; undefined when no page has made it. */
export function readFileKey(key: string): Pick<FileIdentity, 'size' | 'lastModified'> | undefined {
  const [, size, lastModified] = new RegExp(`^${prefix}-(\\d+)-(\\d+)-[0-9a-z]+$`).exec(key) ?? []
  return size === undefined ? undefined : { size: Number(size), lastModified: Number(lastModified) }
}

/** FNV-1a: browsers keep real digests from pages without TLS, and this one only tells files of one person apart. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36)
}
