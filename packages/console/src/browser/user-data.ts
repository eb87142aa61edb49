/** What a browser keeps about the work of a user: the key of each item starts with one of these and the uuid of the user. */
export const userDataPrefixes = {
  drafts: 'wharf.draft.',
  notifications: 'wharf.notifications.',
  recentEntries: 'wharf.recent.',
} as const

/** Removes the drafts, notifications and recent entries of all users, or of all but one. */
export function removeUserData({ except }: { readonly except?: string } = {}): void {
  const isRemoved = (key: string): boolean =>
    Object.values(userDataPrefixes).some(
      (prefix) => key.startsWith(prefix) && (except === undefined || !key.startsWith(prefix + except)),
    )
  for (const storage of [localStorage, sessionStorage]) {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    for (const key of keys.filter(isRemoved)) storage.removeItem(key)
  }
}
