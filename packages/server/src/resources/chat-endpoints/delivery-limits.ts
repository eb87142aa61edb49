/** How long and how often. Tests make them short. */
export interface DeliveryLimits {
  /** The pauses before a message is tried again; the last one from then on. */
  retryMs: readonly number[]
  /** A message that could not be delivered in this time is given up. */
  giveUpMs: number
  /** An endpoint is looked at this often, beside whenever there is something new. */
  pollMs: number
  /** An endpoint whose owner has been silent for this long is served by another process. Longer than any request. */
  leaseMs: number
  /** Endpoints that one process serves at once; the others wait their turn. */
  maxServed: number
  /** For the connection, for the head of the answer, and for its body. */
  requestMs: number
  /** A request that runs when the server stops gets this long to be answered. */
  stopMs: number
}

const second = 1000
const minute = 60 * second

export const deliveryLimits: DeliveryLimits = {
  retryMs: [second, 2 * second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute],
  giveUpMs: 24 * 60 * minute,
  pollMs: second,
  leaseMs: 2 * minute,
  maxServed: 64,
  requestMs: 10 * second,
  // draining has eight seconds in all
  stopMs: 4 * second,
}
