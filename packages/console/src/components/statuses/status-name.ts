/** A status that a newer server has added is shown as it is. */
export const statusName = (names: Readonly<Record<string, string>>, status: string): string =>
  Object.hasOwn(names, status) ? (names[status] ?? status) : status
