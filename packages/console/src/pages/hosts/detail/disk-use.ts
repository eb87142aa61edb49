interface FileSystem {
  readonly total: number
  readonly free: number
  /** The size of the packages in a folder. */
  readonly packages: number
}

/** Splits the used space. Packages may be on another file system below the folder, so they never exceed it. */
export function diskUse({ total, free, packages }: FileSystem): { used: number; other: number } {
  const used = Math.min(packages, total - free)
  return { used, other: total - free - used }
}

/** The position of each part when they are placed one after the other. */
export const startsOf = (sizes: readonly number[]): number[] =>
  sizes.map((_, index) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0))
