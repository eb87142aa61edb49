/** The packages that a tab of this browser is uploading, so that other tabs do not offer to resume them. */
const key = 'wharf.sending'
/** A killed tab does not remove its marks, so they expire. */
const lastsMs = 10_000

type Told = Readonly<Record<string, number>>

function read(): Told {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Told
  } catch {
    return {}
  }
}

const fresh = (told: Told, nowMs: number): Told =>
  Object.fromEntries(Object.entries(told).filter(([, atMs]) => nowMs - atMs < lastsMs))

export function markActive(packageUuids: readonly string[], nowMs = Date.now()): void {
  const mine = Object.fromEntries(packageUuids.map((uuid) => [uuid, nowMs]))
  localStorage.setItem(key, JSON.stringify({ ...fresh(read(), nowMs), ...mine }))
}

export function unmarkActive(packageUuids: readonly string[], nowMs = Date.now()): void {
  const others = Object.entries(fresh(read(), nowMs)).filter(([uuid]) => !packageUuids.includes(uuid))
  localStorage.setItem(key, JSON.stringify(Object.fromEntries(others)))
}

export const isActive = (packageUuid: string, nowMs = Date.now()): boolean =>
  Object.hasOwn(fresh(read(), nowMs), packageUuid)
