/** Durations and counts, which tests shorten. */
export interface DeliveryLimits {
  /** The pauses before each retry; the last one repeats. */
  retryMs: readonly number[]
  /** A message that is not delivered within this time fails. */
  maxDeliveryMs: number
  /** Endpoints are polled this often, in addition to every new message. */
  pollMs: number
  /** An endpoint whose lease was not renewed for this long is served by another process. Longer than any request. */
  leaseMs: number
  /** Endpoints that one process serves concurrently; the others wait. */
  maxServed: number
  /** For the connection, for the headers of the answer, and for its body. */
  requestMs: number
  /** How long a running request may take when the server stops. */
  stopMs: number
}

const second = 1000
const minute = 60 * second

export const deliveryLimits: DeliveryLimits = {
  retryMs: [second, 2 * second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute],
  maxDeliveryMs: 24 * 60 * minute,
  pollMs: second,
  leaseMs: 2 * minute,
  maxServed: 64,
  requestMs: 10 * second,
  // draining has eight seconds in total
  stopMs: 4 * second,
}
