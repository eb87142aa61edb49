import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { FastifyRequest } from 'fastify'

const repeatMs = 3_600_000
/** Bounded: anyone can send the header from many addresses. */
const maxPeers = 50

/** Warns, once an hour for each peer, that the X-Forwarded-For of an untrusted peer is ignored. */
export function createUntrustedProxyWarning({
  log,
  clock,
}: {
  log: Log
  clock: Clock
}): (request: FastifyRequest) => void {
  const warnedAt = new Map<string, number>()
  return ({ ips = [], headers, raw }) => {
    // a trusted proxy adds at least one address to its own
    if (ips.length > 1 || String(headers['x-forwarded-for']).trim() === '') return
    const peer = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    const now = clock.now()
    for (const [other, at] of warnedAt) if (Math.abs(now - at) >= repeatMs) warnedAt.delete(other)
    if (warnedAt.has(peer) || warnedAt.size >= maxPeers) return
    warnedAt.set(peer, now)
    log.warn(
      { peer },
      `X-Forwarded-For from ${peer} is ignored, so all callers behind it count as one address; if ${peer} is your proxy, add it to WHARF_TRUSTED_PROXIES`,
    )
  }
}
