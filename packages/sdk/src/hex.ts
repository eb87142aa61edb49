export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** 32 hex digits. crypto.randomUUID exists only in secure contexts, and pages may be served without TLS. */
export const randomHex = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)))
