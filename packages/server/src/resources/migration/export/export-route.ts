import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ExportedImage, MigrationService } from '../service.ts'
import { byteRange } from './byte-range.ts'
import { exportPath } from './export-address.ts'
import { isRangeApplicable, precondition } from './preconditions.ts'

/** The download of images. Not an operation of the contract, because the response is the file. */

export const exportPaths = ['GET', 'HEAD'].map((method) => ({ method, path: exportPath }))

interface ExportRouteDeps {
  readonly migration: MigrationService
  /** Aborts running downloads; clients resume at another node, or later. */
  readonly draining: AbortSignal
}

export function registerExports(app: FastifyInstance, { migration, draining }: ExportRouteDeps): void {
  app.route<{ Params: { uuid: string } }>({
    method: ['GET', 'HEAD'],
    url: exportPath.replace('{uuid}', ':uuid'),
    handler: async (request, reply) => {
      if (draining.aborted) throw new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 })
      const queryAt = request.url.indexOf('?')
      const query = new URLSearchParams(queryAt < 0 ? '' : request.url.slice(queryAt + 1))
      return sendImage(request, reply, await migration.openExport(request.params.uuid, query), draining)
    },
  })
}

function sendImage(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  image: ExportedImage,
  signal: AbortSignal,
): FastifyReply {
  const { actualSize: bytes, md5Sum, lastOpDate: modified } = image
  const validators = { etag: `"${md5Sum}"`, modified }
  const digest = Buffer.from(md5Sum, 'hex').toString('base64')
  reply.headers({
    'accept-ranges': 'bytes',
    etag: validators.etag,
    'last-modified': new Date(modified).toUTCString(),
    // the address grants access, so no proxy may store the response
    'cache-control': 'private, no-transform',
  })
  const condition = precondition(headers, validators)
  if (condition === 'stale')
    throw new ApiError('SYS.1007', 'the image has changed since it was listed', { status: 412 })
  if (condition === 'same') return reply.code(304).send()

  const range =
    method === 'GET' && isRangeApplicable(headers['if-range']?.toString(), validators)
      ? byteRange(headers.range, bytes)
      : 'whole'
  if (range === 'none') {
    reply.header('content-range', `bytes */${bytes}`)
    throw new ApiError('SYS.1007', `the image has ${bytes} bytes; the requested range is outside`, { status: 416 })
  }
  const { start, end } = range === 'whole' ? { start: 0, end: bytes - 1 } : range
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-length': String(end - start + 1),
    'content-disposition': `attachment; filename="${image.fileName}"`,
    // of the whole image, also when a part is sent
    'repr-digest': `md5=:${digest}:`,
    ...(range === 'whole' ? { 'content-md5': digest } : { 'content-range': `bytes ${start}-${end}/${bytes}` }),
  })
  reply.code(range === 'whole' ? 200 : 206)
  return method === 'HEAD' ? reply.send() : reply.send(image.read({ start, end, signal }))
}
