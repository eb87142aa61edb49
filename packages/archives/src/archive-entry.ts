/** One entry of an archive, in every reading of the programs that unpack it. */
export interface ArchiveEntry {
  readonly kind: 'file' | 'folder' | 'symbolic link' | 'hard link'
  readonly name: string
  /** Names that other tar programs may read. They need not exist, but must be harmless. */
  readonly otherNames: readonly string[]
  /** Of a link. */
  readonly target: string
  readonly otherTargets: readonly string[]
}
