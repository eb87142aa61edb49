import type { OutageListener } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { printable } from './output/printable.ts'

/** The SDK waits as long for a job. */
export const maxOutageMs = 10 * 60_000

/** Reports outages while a command waits for a job or an upload. */
export const reportOutage = (print: (line: string) => void, resumption: () => string): Required<OutageListener> => ({
  onDisconnected: ({ message }) =>
    print(`Interrupted: ${printable(message)}; retrying for up to ${maxOutageMs / 60_000} minutes.`),
  onReconnected: () => print(`Reconnected: ${resumption()}.`),
})

/** Reports outages of a stream: fails if the server never responded, reconnects until Ctrl-C otherwise. */
export function reportReconnects(cli: Pick<Cli, 'info'>): {
  onConnection(isOpen: boolean): void
  onFailure(error: unknown): void
} {
  let wasOpen = false
  let isReported = false
  return {
    onConnection(isOpen) {
      if (!isOpen) return
      if (isReported) cli.info('Reconnected.')
      wasOpen = true
      isReported = false
    },
    onFailure(error) {
      if (!wasOpen) throw error
      if (!isReported) cli.info(`Interrupted: ${printable((error as Error).message)}; retrying until Ctrl-C.`)
      isReported = true
    },
  }
}
