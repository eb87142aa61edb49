import type { ArchiveEntry } from './archive-entry.ts'
import { maxManifestBytes } from './limits.ts'
import { refuseEntry, refuseManifest } from './refusal.ts'

const manifestName = 'wharf.json'

interface Found {
  readonly path: string
  readonly problem: string | undefined
  bytes: Buffer
}

/** Finds wharf.json at the root, or under the only top folder. */
export class ManifestFinder {
  #top: string | undefined
  #underOneTop = true
  #atRoot: Found | undefined
  #underTop: Found | undefined

  /** Returns a consumer for the bytes of this entry when it may be the manifest. */
  see(parts: readonly string[], kind: ArchiveEntry['kind'], bytes: number): ((data: Buffer) => void) | undefined {
    const [top, second] = parts
    if (top === undefined) return undefined
    this.#top ??= top
    if (top !== this.#top || (parts.length === 1 && kind !== 'folder')) this.#underOneTop = false
    const atRoot = parts.length === 1 && top === manifestName
    const underTop = parts.length === 2 && second === manifestName && this.#underOneTop
    if (!atRoot && !underTop) return undefined
    const path = parts.join('/')
    if ((atRoot ? this.#atRoot : this.#underTop) !== undefined) throw refuseEntry(path, 'is in the archive twice')
    const found = { path, problem: problemOf(kind, bytes), bytes: Buffer.alloc(0) }
    if (atRoot) this.#atRoot = found
    else this.#underTop = found
    if (found.problem !== undefined) return undefined
    return (data) => {
      found.bytes = Buffer.from(data)
    }
  }

  /** After the last entry. */
  find(): { readonly bytes: Buffer; readonly topFolder: string | undefined } | undefined {
    const found = this.#atRoot ?? (this.#underOneTop ? this.#underTop : undefined)
    if (found === undefined) return undefined
    if (found.problem !== undefined) throw refuseManifest(found.problem)
    return { bytes: found.bytes, topFolder: this.#atRoot === undefined ? this.#top : undefined }
  }
}

function problemOf(kind: ArchiveEntry['kind'], bytes: number): string | undefined {
  if (kind !== 'file') return `it is a ${kind} and must be a plain file`
  return bytes > maxManifestBytes ? `it is larger than ${maxManifestBytes} bytes` : undefined
}
