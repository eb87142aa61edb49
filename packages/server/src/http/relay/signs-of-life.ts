import { type ClientRequest, get as httpGet } from 'node:http'
import { get as httpsGet } from 'node:https'
import type { SecureContext } from 'node:tls'

/** Whom to believe that they are a node, over https. */
export type Trust = { readonly secureContext?: SecureContext }

const tickMs = 500
/** Quiet for this long, a node is asked whether it is there … */
const askAfterTicks = 2
/** … and when it has not said so by then, it is not. */
const lostAfterTicks = 7

/**
 * Watches over a node that has been asked for something and may take its time. One that is there answers /healthz, whatever
 * else it does; one that was stopped, or cannot be reached, does not. Counted in ticks of our own: if it was this process
 * that stood still, nobody else is to blame.
 */
export function watchLife(origin: string, trust: Trust, onLost: () => void): Disposable {
  const get = origin.startsWith('https:') ? httpsGet : httpGet
  let quietTicks = 0
  let asked: ClientRequest | undefined

  const ask = (): void => {
    asked = get(`${origin}/healthz`, { ...trust, agent: false }, (answer) => {
      answer.resume()
      quietTicks = 0
    })
    asked
      .on('error', () => {})
      .on('close', () => {
        asked = undefined
      })
  }
  const timer = setInterval(() => {
    quietTicks++
    if (quietTicks >= lostAfterTicks) {
      clearInterval(timer)
      onLost()
    } else if (quietTicks >= askAfterTicks && asked === undefined) ask()
  }, tickMs)
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer)
      asked?.destroy()
    },
  }
}
