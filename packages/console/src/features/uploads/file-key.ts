/** Identifies a file that is chosen again; pages have no access to its path. */
export interface FileIdentity {
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

const prefix = 'page'

/** The resume key of an upload. Other users can read it, so it contains a hash of the name. */
export const fileKey = ({ name, size, lastModified }: FileIdentity): string =>
  `${prefix}-${size}-${lastModified}-${hashOf(name)}`

/** Undefined for a key that was not created by the console. */
export function readFileKey(key: string): Pick<FileIdentity, 'size' | 'lastModified'> | undefined {
  const [, size, lastModified] = new RegExp(`^${prefix}-(\\d+)-(\\d+)-[0-9a-z]+$`).exec(key) ?? []
  return size === undefined ? undefined : { size: Number(size), lastModified: Number(lastModified) }
}

/** FNV-1a: WebCrypto is not available without TLS, and this only distinguishes files of one user. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36)
}
