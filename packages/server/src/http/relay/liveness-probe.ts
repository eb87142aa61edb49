import { type ClientRequest, get as httpGet } from 'node:http'
import { get as httpsGet } from 'node:https'
import type { SecureContext } from 'node:tls'

/** The certificates to trust over https. */
export type Trust = { readonly secureContext?: SecureContext }

const tickMs = 500
/** A node that is silent for this long is probed … */
const probeAfterTicks = 2
/** … and is lost when it has not responded by then. */
const lostAfterTicks = 7

/**
 * Probes a node that has a forwarded call in progress. A live node responds to /healthz under any load; a stopped or
 * unreachable node does not. Counted in ticks, so that a pause of this process does not count.
 */
export function probeLiveness(origin: string, trust: Trust, onLost: () => void): Disposable {
  const get = origin.startsWith('https:') ? httpsGet : httpGet
  let quietTicks = 0
  let pending: ClientRequest | undefined

  const probe = (): void => {
    pending = get(`${origin}/healthz`, { ...trust, agent: false }, (answer) => {
      answer.resume()
      quietTicks = 0
    })
    pending
      .on('error', () => {})
      .on('close', () => {
        pending = undefined
      })
  }
  const timer = setInterval(() => {
    quietTicks++
    if (quietTicks >= lostAfterTicks) {
      clearInterval(timer)
      onLost()
    } else if (quietTicks >= probeAfterTicks && pending === undefined) probe()
  }, tickMs)
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer)
      pending?.destroy()
    },
  }
}
