/** More lines slow the page down; the complete log can be downloaded. */
export const maxLines = 5000

export interface LiveLog {
  readonly lines: readonly string[]
  /** The number of earlier lines that are not kept. */
  readonly truncatedCount: number
  readonly isReconnecting: boolean
  readonly error: unknown
}

export const emptyLog: LiveLog = { lines: [], truncatedCount: 0, isReconnecting: false, error: undefined }

export function appendLines(log: LiveLog, added: readonly string[]): LiveLog {
  const all = [...log.lines, ...added]
  const surplus = Math.max(0, all.length - maxLines)
  return { ...log, lines: all.slice(surplus), truncatedCount: log.truncatedCount + surplus }
}
