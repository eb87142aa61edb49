import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Caller } from '../calls/caller.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { OpenStreams } from './open-streams.ts'
import { SseWriter } from './sse-writer.ts'

/** An expired session is detected at this interval; a deleted one immediately. */
const checkMs = 10_000

interface StreamDeps {
  credentials: Credentials
  streams: OpenStreams
}

/** A stream that closes when the server drains or its credential is revoked. */
export function openStream(reply: FastifyReply, caller: Caller, { credentials, streams }: StreamDeps): SseWriter {
  const reader = { userUuid: caller.userUuid, address: reply.request.ip }
  streams.refuseTooMany(reader)
  const opened = new SseWriter(reply)
  streams.add(opened, reader)
  const check = (): void => {
    credentials.isStillValid(caller).then(
      (isValid) => isValid || opened.end(),
      () => {},
    )
  }
  opened.onClose(credentials.onChange(check))
  // it may have been revoked after authentication, before this listener existed
  check()
  const timer = setInterval(check, checkMs)
  opened.onClose(() => clearInterval(timer))
  return opened
}

/** The number of the last event that a reader has seen; undefined when it is missing or not a number. */
export function lastEventId({ 'last-event-id': header }: IncomingHttpHeaders): number | undefined {
  const text = typeof header === 'string' ? header.trim() : ''
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}
