import type { ArchiveEntry } from './archive-entry.ts'
import { entryParts } from './entry-name.ts'
import { EntryTree } from './entry-tree.ts'
import { type InspectedFile, programPath } from './hook-files.ts'
import { maxEntries, maxNameBytes } from './limits.ts'
import { hooksOf, type PackageManifest, readManifest } from './manifest.ts'
import { ManifestFinder } from './manifest-finder.ts'
import { quoted, refuseEntry, refuseManifest } from './refusal.ts'

/** The result of an inspection without a refusal. */
export interface ArchiveContents {
  readonly manifest: PackageManifest | undefined
  /** The only top folder, when it contains wharf.json. */
  readonly topFolder: string | undefined
  /** Data of all files; without the holes of sparse files. */
  readonly unpackedBytes: number
  readonly entries: number
  /** The files that the hooks name, in the folder of wharf.json. */
  readonly hookFiles: readonly InspectedFile[]
}

export const noContents: ArchiveContents = {
  manifest: undefined,
  topFolder: undefined,
  unpackedBytes: 0,
  entries: 0,
  hookFiles: [],
}

/** Checks every entry of an archive of any format. */
export class EntryRules {
  readonly #availableBytes: number
  readonly #tree = new EntryTree()
  readonly #manifest = new ManifestFinder()
  #unpackedBytes = 0
  #entries = 0

  constructor(availableBytes: number) {
    this.#availableBytes = availableBytes
  }

  get unpackedBytes(): number {
    return this.#unpackedBytes
  }

  /** Refuses or accepts the entry. Returns a consumer for its bytes when it may be the manifest. */
  add(entry: ArchiveEntry, bytes: number, how = 'plain'): ((data: Buffer) => void) | undefined {
    this.#entries += 1
    if (this.#entries > maxEntries) throw refuseEntry(entry.name, `is one of more than ${maxEntries}`)
    this.#unpackedBytes += bytes
    if (this.#unpackedBytes > this.#availableBytes)
      throw refuseEntry(entry.name, `does not fit: unpacked it takes more than the ${this.#availableBytes} bytes free`)
    const parts = entryParts(entry.name)
    this.#place(entry, parts, how === 'plain' ? bytes : undefined)
    for (const other of entry.otherNames) this.#checkReading(entry, other)
    return this.#manifest.see(parts, entry.kind, bytes)
  }

  finish(): ArchiveContents {
    const found = this.#manifest.find()
    const manifest = found && readManifest(found.bytes)
    for (const { file } of manifest?.images ?? []) this.#checkImage(file, found?.topFolder)
    const hookFiles = manifest === undefined ? [] : this.#hookFiles(manifest, found?.topFolder)
    const { topFolder } = found ?? {}
    return { manifest, topFolder, hookFiles, unpackedBytes: this.#unpackedBytes, entries: this.#entries }
  }

  /** An empty program would succeed without doing anything. */
  #hookFiles(manifest: PackageManifest, topFolder: string | undefined): InspectedFile[] {
    const sizeOf = (path: string): number | undefined =>
      this.#tree.sizeOf([...(topFolder === undefined ? [] : [topFolder]), ...path.split('/')])
    const isFile = (path: string): boolean => sizeOf(path) !== undefined
    const paths = new Set(hooksOf(manifest).flatMap(({ run }) => programPath(run, isFile) ?? []))
    return [...paths].flatMap((path) => {
      const size = sizeOf(path)
      if (size === 0) throw refuseManifest(`a hook runs ${quoted(path)}, which is empty`)
      return size === undefined ? [] : [{ path, size }]
    })
  }

  #place({ kind, name, target, otherTargets }: ArchiveEntry, parts: string[], bytes: number | undefined): void {
    if (kind === 'folder') this.#tree.folder(name, parts)
    if (kind === 'file') this.#tree.file(name, parts, bytes)
    if (kind === 'symbolic link') {
      for (const reading of [target, ...otherTargets]) checkTarget(name, reading)
      for (const reading of otherTargets.filter((other) => !target.startsWith(other)))
        this.#tree.staysInside(name, parts, reading)
      this.#tree.symbolicLink(name, parts, target)
    }
    if (kind === 'hard link') {
      for (const reading of otherTargets) harmlessParts(name, target, reading)
      this.#tree.hardLink(name, parts, target, entryParts(target))
    }
  }

  /**
   * A program that reads this name instead must not be led outside. The target of such a link is verified after
   * unpacking: a truncated name is at a higher level, from where valid targets may seem to leave.
   */
  #checkReading({ kind, name }: ArchiveEntry, other: string): void {
    const parts = harmlessParts(name, name, other)
    this.#tree.refuseLinksOnPath(name, parts)
    if (kind === 'symbolic link' && this.#tree.kindOf(parts) === undefined) this.#tree.alsoLink(name, parts)
  }

  #checkImage(file: string, topFolder: string | undefined): void {
    const parts = entryParts(topFolder === undefined ? file : `${topFolder}/${file}`)
    if (this.#tree.kindOf(parts) !== 'file')
      throw refuseManifest(`images names ${quoted(file)}, which is not a file of the archive`)
  }
}

/** A truncated name is as harmless as the whole: at worst `..a` became `..`, where nothing can be created. */
function harmlessParts(entryName: string, whole: string, other: string): string[] {
  const parts = other.split('/').filter((part) => part !== '' && part !== '.')
  if (!whole.startsWith(other) && (other.startsWith('/') || parts.includes('..')))
    throw refuseEntry(entryName, `is ${quoted(other)} to some programs, which leaves the archive`)
  return parts
}

function checkTarget(name: string, target: string): void {
  if (target === '') throw refuseEntry(name, 'is a link to nothing')
  if (target.includes('\0')) throw refuseEntry(name, 'has a NUL in its target')
  if (Buffer.byteLength(target) > maxNameBytes)
    throw refuseEntry(name, `is a link to a target of more than ${maxNameBytes} bytes`)
}
