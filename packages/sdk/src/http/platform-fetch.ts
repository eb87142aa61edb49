/** The platform's fetch at the time of the call; browsers require the unbound name. */
export const platformFetch: typeof fetch = (input, init) => fetch(input, init)

/** A response is that of the server itself, and no cookie is sent to it. */
export const fetchSettings = { redirect: 'manual', credentials: 'omit', cache: 'no-store' } as const
