import type { OutgoingRequest } from './chat-platform.ts'

export function webhookRequest(url: string, payload: object): OutgoingRequest {
  return { url, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(payload) }
}

/** The bytes of a value in a body. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** The bytes of a text within a string of a body. */
export const quotedBytes = (text: string): number => jsonBytes(text) - 2
