/** True when only the server's own machine can reach this address. */
export const isLoopbackUrl = (url: string): boolean => /^\[?(127\.|::1|localhost)/.test(new URL(url).hostname)
