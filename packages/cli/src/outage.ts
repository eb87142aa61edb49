import type { OutageListener } from '@wharf/sdk'
import { printable } from './output/printable.ts'

/** The same as the SDK waits for a job. */
export const maxOutageMs = 10 * 60_000

/** Reports that a server went away, that it is waited for, and that it is back. */
export const reportOutage = (say: (line: string) => void, resumed: () => string): Required<OutageListener> => ({
  onDisconnected: ({ message }) =>
    say(`Interrupted: ${printable(message)}; retrying for up to ${maxOutageMs / 60_000} minutes.`),
  onReconnected: () => say(`Reconnected: ${resumed()}.`),
})
