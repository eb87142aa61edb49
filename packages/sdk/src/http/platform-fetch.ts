/** Whatever the platform has at the time of the call; by its bare name, since browsers insist on it. */
export const platformFetch: typeof fetch = (input, init) => fetch(input, init)
