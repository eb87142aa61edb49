export interface AddressDraft {
  readonly url: string
  readonly name: string
  readonly type: string
  /** MD5 or SHA-256 in hex; empty to skip the check. */
  readonly digest: string
}

export const isDigest = (text: string): boolean => /^(|[0-9a-f]{32}|[0-9a-f]{64})$/i.test(text.trim())

export const isAddress = (url: string): boolean => /^(https?|file):\/\//i.test(url) && URL.canParse(url)

/** A user name, a password or a query with a signature. */
export const mayContainSecrets = (url: string): boolean => /[@?]/.test(url)

export function fileNameIn(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  return path.split('/').at(-1) || 'package'
}
