/** 32 hex digits. Unlike crypto.randomUUID this is there in pages without TLS as well. */
export const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
