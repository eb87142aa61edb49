import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ExportedImage, MigrationService } from '../service.ts'
import { byteRange } from './byte-range.ts'
import { exportPath } from './export-address.ts'
import { precondition, rangeHolds } from './preconditions.ts'

/** Where images are downloaded from. No operation of the contract: what it answers is the file itself. */

export const exportPaths = ['GET', 'HEAD'].map((method) => ({ method, path: exportPath }))

interface Deps {
  readonly migration: MigrationService
  /** Downloads that run then are broken off: who fetches them goes on elsewhere, or later. */
  readonly draining: AbortSignal
}

export function registerExports(app: FastifyInstance, { migration, draining }: Deps): void {
  app.route<{ Params: { uuid: string } }>({
    method: ['GET', 'HEAD'],
    url: exportPath.replace('{uuid}', ':uuid'),
    handler: async (request, reply) => {
      if (draining.aborted) throw new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 })
      const mark = request.url.indexOf('?')
      const query = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1))
      return answer(request, reply, await migration.exported(request.params.uuid, query), draining)
    },
  })
}

function answer(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  image: ExportedImage,
  signal: AbortSignal,
): FastifyReply {
  const { actualSize: bytes, md5Sum, lastOpDate: modified } = image
  const now = { etag: `"${md5Sum}"`, modified }
  const digest = Buffer.from(md5Sum, 'hex').toString('base64')
  reply.headers({
    'accept-ranges': 'bytes',
    etag: now.etag,
    'last-modified': new Date(modified).toUTCString(),
    // who has the address has the image: nobody in between keeps it
    'cache-control': 'private, no-transform',
  })
  const met = precondition(headers, now)
  if (met === 'stale')
    throw new ApiError('SYS.1007', 'the image is another than the one that is asked for', { status: 412 })
  if (met === 'same') return reply.code(304).send()

  const range =
    method === 'GET' && rangeHolds(headers['if-range']?.toString(), now) ? byteRange(headers.range, bytes) : 'whole'
  if (range === 'none') {
    reply.header('content-range', `bytes */${bytes}`)
    throw new ApiError('SYS.1007', `the image has ${bytes} bytes; the range asks for others`, { status: 416 })
  }
  const { start, end } = range === 'whole' ? { start: 0, end: bytes - 1 } : range
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-length': String(end - start + 1),
    'content-disposition': `attachment; filename="${image.fileName}"`,
    // of the whole image, whatever part of it is sent
    'repr-digest': `md5=:${digest}:`,
    ...(range === 'whole' ? { 'content-md5': digest } : { 'content-range': `bytes ${start}-${end}/${bytes}` }),
  })
  reply.code(range === 'whole' ? 200 : 206)
  return method === 'HEAD' ? reply.send() : reply.send(image.read({ start, end, signal }))
}
