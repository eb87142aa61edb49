import { readStoredJson, writeStoredJson } from '../../browser/stored-json.ts'
import { userDataPrefixes } from '../../browser/user-data.ts'
import { type FindEntry, findKinds } from './find-entry.ts'

const maxKept = 6

const keyOf = (userUuid: string): string => userDataPrefixes.recentEntries + userUuid

/** An entry without its function: an action is found again by its id. */
type StoredEntry = Pick<FindEntry, 'id' | 'kind' | 'label' | 'detail'> & { readonly target: string }

/** The entries that this user opened last, the newest first. */
export function readRecent(userUuid: string): StoredEntry[] {
  const stored = readStoredJson(keyOf(userUuid))
  return Array.isArray(stored) ? stored.filter(isEntry) : []
}

export function addRecent(userUuid: string, { id, kind, label, detail, target }: FindEntry): void {
  const newest = { id, kind, label, detail, target: typeof target === 'string' ? target : '' }
  const others = readRecent(userUuid).filter((entry) => entry.id !== id)
  writeStoredJson(keyOf(userUuid), [newest, ...others].slice(0, maxKept))
}

function isEntry(value: unknown): value is StoredEntry {
  const { id, kind, label, target } = (value ?? {}) as Partial<StoredEntry>
  const isText = [id, label, target].every((text) => typeof text === 'string')
  // a link to elsewhere cannot be opened by what is stored
  return isText && findKinds.some((known) => known === kind) && /^($|#)/.test(target ?? '')
}
