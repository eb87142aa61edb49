import type { ErrorCode } from './errors.ts'
import { failureResponse, rejections } from './openapi-responses.ts'
import { type Json, reference } from './openapi-schemas.ts'

/** The slices of an upload in the protocol tus 1.0.0. Not operations of the contract: tus defines them. */
export const uploadPath = '/v1/uploads/{id}'

const since = 'wharf-1.0.0'
const bytes: Json = { type: 'integer', format: 'int64', minimum: 0 }

const header = (name: string, description: string, schema: Json, required = false): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema,
  'x-since': since,
})

const id: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The upload; the system tag uploadUrl:: of the operation that opened it has the whole URL',
  schema: { type: 'string' },
  'x-since': since,
}

const version = (): Json => header('Tus-Resumable', 'The version of the protocol', { const: '1.0.0' }, true)

const offset = { description: 'The number of bytes that are stored', schema: bytes }
const expiry = {
  description: 'When the upload ends unless a slice arrives; absent when it is complete',
  schema: { type: 'string' },
}

interface Request {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Json
  readonly errors: readonly ErrorCode[]
}

const described = ({ errors, parameters = [], responses, ...request }: Request): Json => ({
  ...request,
  tags: ['software-packages'],
  security: [{ uploadSignature: [] }],
  parameters: [id, version(), ...parameters],
  responses: {
    ...responses,
    ...rejections(errors),
    412: failureResponse('SYS.1007: Tus-Resumable is absent or another version'),
    default: reference('responses', 'Failure'),
  },
  'x-since': since,
  'x-permission': 'the signature of the URL',
  'x-errors': errors,
})

const common: readonly ErrorCode[] = ['SYS.1000', 'SYS.1003', 'SYS.1007', 'SYS.1010', 'SoftwarePackage.1133']

const head = (): Json =>
  described({
    operationId: 'getUploadOffset',
    summary: 'Get how many bytes of an upload are stored',
    description: 'An interrupted upload resumes at this offset. The response has no body.',
    responses: {
      200: {
        description: 'The offset is in the headers',
        headers: {
          'Upload-Offset': offset,
          'Upload-Length': { description: 'The size of the file; absent until it is known', schema: bytes },
          'Upload-Defer-Length': { description: '1 until the size is known', schema: { const: 1 } },
          'Upload-Expires': expiry,
        },
      },
    },
    errors: common,
  })

const patch = (): Json =>
  described({
    operationId: 'sendUploadSlice',
    summary: 'Append a slice to an upload',
    description:
      'A slice has at most 64 MiB. When the last byte has arrived, the job that opened the upload continues; its result is the status of the package.',
    parameters: [
      header('Upload-Offset', 'The offset of the slice: the number of bytes that are stored', bytes, true),
      header('Upload-Length', 'The size of the file, if the URL of the package did not state it', bytes),
      header(
        'Upload-Checksum',
        'An algorithm (md5, sha1, sha256, sha384, sha512), a space and the checksum in Base64',
        {
          type: 'string',
          examples: ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0='],
        },
      ),
    ],
    requestBody: {
      required: true,
      content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
    },
    responses: {
      204: { description: 'The slice is stored', headers: { 'Upload-Offset': offset, 'Upload-Expires': expiry } },
      413: failureResponse('SYS.1007: the slice or the package is too large'),
      415: failureResponse('SYS.1007: another Content-Type, or a compressed slice'),
      460: failureResponse('SYS.1007: the slice does not match Upload-Checksum; no byte of it was kept'),
    },
    errors: [...common, 'SYS.1006', 'SYS.1016', 'SYS.1017', 'ID.1002', 'SoftwarePackage.1121'],
  })

const terminate = (): Json =>
  described({
    operationId: 'terminateUpload',
    summary: 'End an upload and remove what has arrived',
    description: 'The job that opened it fails.',
    responses: { 204: { description: 'The upload has ended' } },
    errors: common,
  })

/** A function, so that programs that do not publish the document do not contain it. */
export const uploadRequests = (): Json => ({ head: head(), patch: patch(), delete: terminate() })

export const uploadSignature: Json = {
  type: 'apiKey',
  in: 'query',
  name: 'signature',
  description: 'Part of the URL that the system tag `uploadUrl::` contains. It grants access to this upload alone.',
}
