import type { OutgoingRequest } from './chat-platform.ts'

export function webhookRequest(url: string, payload: object): OutgoingRequest {
  return { url, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(payload) }
}

/** What a value takes in a body, in bytes. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** What text takes within a string of a body, in bytes. */
export const quotedBytes = (text: string): number => jsonBytes(text) - 2
