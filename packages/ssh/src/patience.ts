/** By attempt: how long until the host's greeting, which ssh bounds itself, and until the connection is ready. */
const patience = [
  { greetingSeconds: 10, readyMs: 14_000 },
  { greetingSeconds: 20, readyMs: 25_000 },
  { greetingSeconds: 30, readyMs: 40_000 },
] as const

export type Patience = (typeof patience)[number]

/** `attempt` counts from 0. */
export const patienceOf = (attempt: number): Patience => patience[attempt] ?? patience[2]
