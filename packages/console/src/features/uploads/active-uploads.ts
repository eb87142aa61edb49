import { readStoredJson, writeStoredJson } from '../../browser/stored-json.ts'

/** The packages that a tab of this browser is uploading, so that other tabs do not offer to resume them. */
const key = 'wharf.sending'
/** A killed tab does not remove its marks, so they expire. */
const expiryMs = 10_000

type Marks = Readonly<Record<string, number>>

const read = (): Marks => (readStoredJson(key) ?? {}) as Marks

const unexpired = (marks: Marks, nowMs: number): Marks =>
  Object.fromEntries(Object.entries(marks).filter(([, atMs]) => nowMs - atMs < expiryMs))

export function markActive(packageUuids: readonly string[], nowMs = Date.now()): void {
  const mine = Object.fromEntries(packageUuids.map((uuid) => [uuid, nowMs]))
  writeStoredJson(key, { ...unexpired(read(), nowMs), ...mine })
}

export function unmarkActive(packageUuids: readonly string[], nowMs = Date.now()): void {
  const others = Object.entries(unexpired(read(), nowMs)).filter(([uuid]) => !packageUuids.includes(uuid))
  writeStoredJson(key, Object.fromEntries(others))
}

export const isActive = (packageUuid: string, nowMs = Date.now()): boolean =>
  Object.hasOwn(unexpired(read(), nowMs), packageUuid)
