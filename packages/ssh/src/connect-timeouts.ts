/** By attempt: until the host's greeting, which ssh itself limits, and until the connection is ready. */
const timeouts = [
  { greetingSeconds: 10, readyMs: 14_000 },
  { greetingSeconds: 20, readyMs: 25_000 },
  { greetingSeconds: 30, readyMs: 40_000 },
] as const

export type ConnectTimeouts = (typeof timeouts)[number]

/** `attempt` counts from 0. */
export const connectTimeouts = (attempt: number): ConnectTimeouts => timeouts[attempt] ?? timeouts[2]
