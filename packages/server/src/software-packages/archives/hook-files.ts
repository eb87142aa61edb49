/** A file that a hook runs or reads by its words, as the package was found to have it. */
export interface HookFile {
  /** Relative to the folder of wharf.json, without a leading `./`. */
  readonly path: string
  readonly size: number
  /** By the `cksum` of the host it was unpacked on. */
  readonly cksum?: string
}

/** The path in the package that a word of a hook may mean; undefined for what cannot be one. */
export function packagePath(word: string): string | undefined {
  if (word.startsWith('/') || /[\u0000-\u001f\u007f]|^ | $/.test(word)) return undefined
  const parts = word.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/')
}
