import { maxTotalNameBytes } from './limits.ts'
import { quoted, refuseArchive, refuseEntry } from './refusal.ts'

const kinds = ['folder', 'file', 'symbolic link'] as const
type Kind = (typeof kinds)[number]

interface Node {
  readonly id: number
  readonly kind: Kind
}

const root: Node = { id: 0, kind: 'folder' }
/** The approximate memory of a map entry besides its characters. */
const overheadBytes = 48

/**
 * The entries of an archive so far. One rule makes links safe in any order: a path that an entry traverses, or that the
 * target of a link ascends from, is a real folder and never a link. Then a target that stays inside by its text stays
 * inside on the disk.
 */
export class EntryTree {
  /** By the parent's number and the entry's name, so that long paths cost only their last part. */
  readonly #nodes = new Map<string, number>()
  /** Sizes of files with data in the archive, by number. */
  readonly #sizes = new Map<number, number>()
  #count = 0
  #totalNameBytes = 0

  folder(name: string, parts: readonly string[]): void {
    // "./" is the folder that the archive is unpacked into
    if (parts.length > 0) this.#put(name, parts, 'folder')
  }

  /** `bytes` is undefined when the size on the disk differs from the size of the data. */
  file(name: string, parts: readonly string[], bytes?: number): void {
    const { id } = this.#put(name, parts, 'file')
    if (bytes === undefined) this.#sizes.delete(id)
    else this.#sizes.set(id, bytes)
  }

  symbolicLink(name: string, parts: readonly string[], target: string): void {
    this.staysInside(name, parts, target)
    this.#put(name, parts, 'symbolic link')
  }

  /** Another reading of the name of a link: nothing may be written through it either. */
  alsoLink(name: string, parts: readonly string[]): void {
    this.#put(name, parts, 'symbolic link')
  }

  hardLink(name: string, parts: readonly string[], target: string, targetParts: readonly string[]): void {
    const kind = this.kindOf(targetParts)
    // a hard link to a symbolic link would resolve its target from another folder
    if (kind !== 'file') throw refuseEntry(name, `is a hard link to ${quoted(target)}, which is not an earlier file`)
    if (this.kindOf(parts) !== undefined) throw refuseEntry(name, 'is in the archive twice, once as a hard link')
    this.#put(name, parts, 'file')
  }

  /** For another reading of the name of any entry. */
  refuseLinksOnPath(name: string, parts: readonly string[]): void {
    let at: Node | undefined = root
    for (const part of parts.slice(0, -1)) {
      at = at && this.#find(at, part)
      if (at?.kind === 'symbolic link') throw refuseEntry(name, 'goes through a symbolic link of the archive')
    }
  }

  /** The target of a link by its text, from the folder of the link. */
  staysInside(name: string, parts: readonly string[], target: string): void {
    const leaves = () => refuseEntry(name, `is a link to ${quoted(target)}, which leaves the archive`)
    if (target.startsWith('/')) throw leaves()
    const at = parts.slice(0, -1)
    for (const part of target.split('/')) {
      if (part === '' || part === '.') continue
      if (part !== '..') at.push(part)
      else if (at.length === 0) throw leaves()
      else {
        this.#walk(name, at)
        at.pop()
      }
    }
  }

  kindOf(parts: readonly string[]): Kind | undefined {
    return this.#at(parts)?.kind
  }

  /** Of a file; undefined for anything else, and for a link to one. */
  sizeOf(parts: readonly string[]): number | undefined {
    const node = this.#at(parts)
    return node && this.#sizes.get(node.id)
  }

  #at(parts: readonly string[]): Node | undefined {
    let at: Node | undefined = root
    for (const part of parts) at = at && this.#find(at, part)
    return at
  }

  #put(name: string, parts: readonly string[], kind: Kind): Node {
    const last = parts.at(-1)
    if (last === undefined) throw refuseEntry(name, `names the whole archive but is a ${kind}`)
    const parent = this.#walk(name, parts.slice(0, -1))
    const there = this.#find(parent, last)
    if (there === undefined) return this.#add(parent, last, kind)
    // an appended archive contains a file twice, and the later one counts; a link must not be replaced
    if (there.kind !== kind || kind === 'symbolic link')
      throw refuseEntry(name, `is in the archive twice, as a ${there.kind} and as a ${kind}`)
    return there
  }

  /** Descends to a folder; unlisted folders are created as by any tar. */
  #walk(name: string, parts: readonly string[]): Node {
    let at: Node = root
    for (const part of parts) {
      const next = this.#find(at, part) ?? this.#add(at, part, 'folder')
      if (next.kind !== 'folder')
        throw refuseEntry(name, `goes through ${quoted(part)}, which is a ${next.kind} of the archive`)
      at = next
    }
    return at
  }

  #find(parent: Node, part: string): Node | undefined {
    const node = this.#nodes.get(`${parent.id}/${part}`)
    if (node === undefined) return undefined
    return { id: Math.floor(node / kinds.length), kind: kinds[node % kinds.length] as Kind }
  }

  #add(parent: Node, part: string, kind: Kind): Node {
    this.#totalNameBytes += Buffer.byteLength(part) + overheadBytes
    if (this.#totalNameBytes > maxTotalNameBytes)
      throw refuseArchive(`its names take more than ${maxTotalNameBytes} bytes together`)
    this.#count += 1
    this.#nodes.set(`${parent.id}/${part}`, this.#count * kinds.length + kinds.indexOf(kind))
    return { id: this.#count, kind }
  }
}
