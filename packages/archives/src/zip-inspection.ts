import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import type { ArchiveEntry } from './archive-entry.ts'
import { type ArchiveContents, EntryRules } from './entry-rules.ts'
import { maxManifestBytes, maxNameBytes, maxRatio, ratioCountsFromBytes } from './limits.ts'
import { refuseArchive, refuseEntry } from './refusal.ts'
import { type ZipEntry, zipEntries } from './zip/zip-entries.ts'

export interface ZipLimits {
  readonly availableBytes: number
  readonly signal: AbortSignal
}

/**
 * Inspects a zip on this node as a whole before any byte is forwarded: first its directory, then all data. MD5 and size
 * are known from its transfer to this node.
 */
export async function inspectZip(file: string, limits: ZipLimits): Promise<ArchiveContents & { format: 'zip' }> {
  const { size } = await stat(file)
  const rules = new EntryRules(limits.availableBytes)
  for await (const entry of zipEntries(file, limits.signal)) {
    const keep = rules.add(await asArchiveEntry(entry), entry.bytes)
    if (rules.unpackedBytes > ratioCountsFromBytes && rules.unpackedBytes > maxRatio * size)
      throw refuseArchive(`it unpacks to more than ${maxRatio} times its size`)
    keep?.(await wholeContent(entry, maxManifestBytes))
  }
  const found = rules.finish()
  for await (const entry of zipEntries(file, limits.signal)) {
    // reading the content verifies it
    for await (const _ of entry.content()) limits.signal.throwIfAborted()
  }
  return { format: 'zip', ...found }
}

async function asArchiveEntry(entry: ZipEntry): Promise<ArchiveEntry> {
  const target = entry.kind === 'symbolic link' ? await linkTarget(entry) : ''
  return { kind: entry.kind, name: entry.name, otherNames: entry.otherNames, target, otherTargets: [] }
}

/** A link's data is its target. */
export async function linkTarget(entry: ZipEntry): Promise<string> {
  const bytes = await wholeContent(entry, maxNameBytes)
  if (!isUtf8(bytes)) throw refuseEntry(entry.name, 'is a link to a target that is not valid UTF-8')
  return bytes.toString('utf8')
}

async function wholeContent(entry: ZipEntry, limitBytes: number): Promise<Buffer> {
  if (entry.bytes > limitBytes) throw refuseEntry(entry.name, `is longer than ${limitBytes} bytes`)
  return Buffer.concat(await Array.fromAsync(entry.content()))
}
