import type { FastifyRequest } from 'fastify'

// names in container networks may contain underscores
const authority = /^(\[[0-9a-fA-F:.]{2,45}\]|\w([\w.-]{0,252}[\w.])?)(:\d{1,5})?$/

/** The address of this API for the caller: its Host if valid, else the public address, else our own. */
export function requestBaseUrl(
  request: FastifyRequest,
  settings: { basePath: string; publicUrl?: string | undefined },
): string {
  const { basePath, publicUrl } = settings
  const { host, protocol, socket } = request
  const isAuthority = authority.test(host)
  if (!isAuthority && publicUrl !== undefined) return publicUrl
  const { localAddress = '', localPort } = socket
  const own = `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
  const underPrefix = basePath !== '' && request.originalUrl.startsWith(`${basePath}/`)
  return `${protocol}://${isAuthority ? host : own}${underPrefix ? basePath : ''}`
}
