/** One entry of an archive, as the programs that unpack it may understand it. */
export interface ArchiveEntry {
  readonly kind: 'file' | 'folder' | 'symbolic link' | 'hard link'
  readonly name: string
  /** What programs that know less, or other, forms of tar take for the name. They need not exist, but must be harmless. */
  readonly otherNames: readonly string[]
  /** Of a link. */
  readonly target: string
  readonly otherTargets: readonly string[]
}
