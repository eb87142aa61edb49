import { invalid } from '@wharf/platform/api-error.ts'
import type { ExpectedDigests } from '@wharf/platform/digests.ts'

const prefix = 'uploadSoftwarePackage::'
const kinds: Readonly<Record<number, keyof ExpectedDigests>> = { 32: 'md5', 64: 'sha256' }

export interface Announced {
  readonly digests: ExpectedDigests
  /** Identifies an unfinished upload: the first tag, a digest in lower case and without braces. */
  readonly resumeKey: string | undefined
}

/** Reads `uploadSoftwarePackage::` tags: 32 or 64 hex digits are the digest of the package, other text is only a key. */
export function readAnnounced(systemTags: readonly string[], { md5 }: { md5?: string | undefined } = {}): Announced {
  const digests: { -readonly [Kind in keyof ExpectedDigests]: string } = md5 === undefined ? {} : { md5 }
  const keys = systemTags.filter((tag) => tag.startsWith(prefix)).map((tag) => plainKey(tag.slice(prefix.length)))
  for (const key of keys) {
    const kind = isDigest(key) ? kinds[key.length] : undefined
    if (kind === undefined) continue
    if ((digests[kind] ?? key) !== key)
      throw invalid(`${prefix}${key} contradicts ${digests[kind]}, which is announced too; send one ${kind} only`)
    digests[kind] = key
  }
  return { digests, resumeKey: keys[0] }
}

const isDigest = (text: string): boolean => /^([0-9a-f]{32}|[0-9a-f]{64})$/i.test(text)

/** Some clients write the digest `abc…` as `{ABC…}`; other text is not changed. */
function plainKey(text: string): string {
  const inner = text.replace(/^\{(.*)\}$/, '$1')
  return isDigest(inner) ? inner.toLowerCase() : text
}

/** Only an upload in slices uses the key, so only such an upload requires its form. */
export function checkResumeKey(key: string | undefined): void {
  if (key !== undefined && !/^[\x20-\x7e]{1,128}$/.test(key))
    throw invalid(`systemTags: ${prefix} takes a key of 1 to 128 printable characters`)
}
