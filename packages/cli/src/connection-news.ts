import type { Cli } from './cli.ts'
import { printable } from './output/printable.ts'

/** For what is followed: a server that never answered is a failure as elsewhere, one that goes away is waited for. */
export function telling(cli: Cli): { onConnection(isOpen: boolean): void; onFailure(error: unknown): void } {
  let wasOpen = false
  let isToldAway = false
  return {
    onConnection(isOpen) {
      if (!isOpen) return
      if (isToldAway) cli.say('The server is there again.')
      wasOpen = true
      isToldAway = false
    },
    onFailure(error) {
      if (!wasOpen) throw error
      if (!isToldAway) cli.say(`${printable((error as Error).message)}; trying again until Ctrl-C.`)
      isToldAway = true
    },
  }
}
