import { parameters, requestBody } from './openapi-requests.ts'
import { responses } from './openapi-responses.ts'
import type { Json } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'
import { aliases, errorsOf } from './operations.ts'

export function security({ permission, fields }: Operation): Json {
  if (permission === 'public') return { security: [] }
  // the token of a job replaces the header
  return 'token' in fields ? { security: [{ session: [] }, { accessKey: [] }, { messageSignature: [] }, {}] } : {}
}

/** Extensions of OpenAPI. */
export const ownWords = (operation: Operation, served: boolean): Json => ({
  'x-since': operation.since,
  'x-permission': operation.permission,
  ...(operation.timeoutSeconds === undefined ? {} : { 'x-timeout-seconds': operation.timeoutSeconds }),
  'x-errors': errorsOf(operation),
  ...(served ? {} : { 'x-served': false }),
})

export const operationId = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

export function described(operation: Operation, served: boolean): Json {
  const body = requestBody(operation)
  const former = aliases.filter(({ aliasOf }) => aliasOf === operation.name).map(({ name }) => operationId(name))
  return {
    operationId: operationId(operation.name),
    ...(former.length === 0 ? {} : { 'x-former-operation-ids': former }),
    summary: operation.summary,
    tags: [operation.resource],
    ...security(operation),
    parameters: parameters(operation),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(operation),
    ...ownWords(operation, served),
  }
}
