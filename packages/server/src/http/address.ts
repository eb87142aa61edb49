import type { FastifyRequest } from 'fastify'

const authority = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?)(:\d{1,5})?$/

/** The address of this API as the caller knows it: its Host when that is one, else the public address. */
export function callersAddress(
  request: FastifyRequest,
  settings: { basePath: string; publicUrl?: string | undefined },
): string {
  const { basePath, publicUrl } = settings
  const host = request.host
  if (!authority.test(host)) return publicUrl ?? ''
  const underPrefix = basePath !== '' && request.originalUrl.startsWith(`${basePath}/`)
  return `${request.protocol}://${host}${underPrefix ? basePath : ''}`
}
