import { isOptional, isUuid, normalizeUuid, type Operation, pathParameters, pathVariableNames } from '@wharf/contract'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { TSchema } from 'typebox'
import { maskedWord } from './masked-path.ts'
import { normalizeFields } from './normalize-fields.ts'
import { convert, readQueryString, refuseUnsupported, unsupported } from './query-string.ts'
import { fieldsInTag, noTags, readConfigTag, readTags, type Tags } from './tag-input.ts'
import { fieldCheck } from './validate.ts'

/** Client libraries add these fields in any position. */
const ignored = new Set(['sessionId', 'requestIp', 'accessKeyId', 'accessKeySecret', 'timeout', 'pollingInterval'])
const ignoredAtLogin = new Set(['accountType', 'captchaUuid', 'verifyCode', 'clientInfo'])
const tagNames = new Set(['systemTags', 'userTags'])

export interface RawInput {
  path: Readonly<Record<string, string>>
  query: string
  body: unknown
}

export interface Input {
  fields: Record<string, unknown>
  tags: Tags
}

type Fields = Record<string, unknown>

/** Reads the declared fields from the query or the body, and rejects unknown ones by name. */
export function inputReader(operation: Operation): (raw: RawInput) => Input {
  const schemas = operation.fields as Record<string, Fields>
  const check = fieldCheck(operation)
  const isLogin = operation.path.endsWith('/login')
  // unsupported parameters are already rejected unless empty
  const isIgnored = (name: string): boolean =>
    ignored.has(name) || unsupported.has(name) || (isLogin && ignoredAtLogin.has(name))
  // the session calls return 200 for any fields
  const uuidParameters = pathParameters(operation.path).filter(() => operation.permission !== 'public')
  const carriesInQuery = operation.method === 'GET' || operation.method === 'DELETE'
  const isCreate = operation.method === 'POST'
  const isOptionalField = (name: string): boolean => isOptional(operation.fields[name] as TSchema | undefined)
  const variableNames = pathVariableNames(operation.path)

  /** Whether this repeats a path variable; its value must then be the same. */
  const repeatsPath = (name: string, value: unknown, path: RawInput['path'], where: string): boolean => {
    const variable = variableNames.get(name)
    if (variable === undefined) return false
    const inPath = normalizeUuid(path[variable] ?? '')
    if (!isAbsent(value) && (typeof value !== 'string' || normalizeUuid(value.trim()) !== inPath))
      throw invalid(`${where}${name} differs from the one in the path; leave it out or send the same`)
    return true
  }

  /** The declared fields and the tags next to them. */
  const pick = (from: Fields, where: string, path: RawInput['path']): { fields: Fields; tags: Fields } => {
    const fields: Fields = {}
    const tags: Fields = {}
    for (const [name, value] of Object.entries(from)) {
      if (!isAbsent(value)) refuseUnsupported(name)
      if (Object.hasOwn(schemas, name)) fields[name] = value
      else if (tagNames.has(name)) tags[name] = value
      else if (repeatsPath(name, value, path, where === 'the body' ? '' : `${where}.`)) continue
      else if (!isIgnored(name)) throw unknownField(name, where, Object.keys(schemas))
    }
    return { fields, tags }
  }

  const fromQuery = (text: string, path: RawInput['path']): Fields => {
    const fields: Fields = {}
    for (const [name, values] of readQueryString(text)) {
      const given = values.filter((value) => value !== '')
      if (given.length > 0) refuseUnsupported(name)
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
      if (schema && carriesInQuery) {
        const meant = isOptionalField(name) ? given : values
        if (meant.length > 0) fields[name] = convert(name, meant, schema)
      } else if (tagNames.has(name) && !isCreate) continue
      else if (values.every((value) => repeatsPath(name, value, path, 'the query: '))) continue
      else if (!isIgnored(name)) throw unknownField(name, 'the query', carriesInQuery ? Object.keys(schemas) : [])
    }
    return fields
  }

  /** `places`: tags may be next to the structure and inside it. */
  const fromBody = ({ body, path }: RawInput): { fields: Fields; places: Fields[] } => {
    if (body === undefined || body === null) return { fields: {}, places: [] }
    const outer = asObject(body, 'the body')
    if (operation.method === 'DELETE') return { fields: pick(outer, 'the body', path).fields, places: [] }
    const structure = operation.structure ?? 'params'
    for (const [name, value] of Object.entries(outer)) {
      if (!isAbsent(value)) refuseUnsupported(name)
      if (name !== structure && !tagNames.has(name) && !isIgnored(name))
        throw unknownField(name, 'the body', [structure, ...tagNames])
    }
    const inner = asObject(outer[structure] ?? {}, structure)
    const { fields, tags } = pick(inner, structure, path)
    return { fields, places: [outer, tags] }
  }

  return (raw) => {
    for (const name of uuidParameters) {
      const value = raw.path[name] ?? ''
      if (!isUuid(value)) throw notFound('resource', JSON.stringify(maskedWord(value)))
    }
    if (raw.query === '' && raw.body === undefined && carriesInQuery) return { fields: check({}), tags: noTags }
    const queried = fromQuery(raw.query, raw.path)
    if (operation.method === 'GET') return { fields: check(normalizeFields(queried, schemas)), tags: noTags }
    const { fields: sent, places } = fromBody(raw)
    const fields = normalizeFields(sent, schemas)
    if (operation.method === 'DELETE') {
      for (const [name, value] of Object.entries(normalizeFields(queried, schemas)))
        fields[name] = agreed(name, fields[name], value)
      return { fields: check(fields), tags: noTags }
    }
    const tags = isCreate ? readTags(places) : noTags
    const { configTag, structure = '' } = operation
    if (configTag === undefined) return { fields: check(fields), tags }
    const carriers = isCreate ? tags.system : readConfigTag(places, configTag)
    const carried = pick(fieldsInTag(carriers, configTag, structure), configTag, raw.path).fields
    return { fields: check({ ...normalizeFields(carried, schemas), ...fields }), tags }
  }
}

/** Null and the empty string both mean absent. */
const isAbsent = (value: unknown): boolean => value === null || value === ''

/** Merges the body and the query of a DELETE, which must not contradict. */
function agreed<T>(name: string, inBody: T | undefined, inQuery: T | undefined): T | undefined {
  const isEqual = (a: T, b: T): boolean => JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b))
  if (inBody !== undefined && inQuery !== undefined && !isEqual(inBody, inQuery))
    throw invalid(`${name} differs between the body and the query`)
  return inBody ?? inQuery
}

const inOrder = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value)

function asObject(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${where} must be a JSON object`)
  return value as Fields
}

function unknownField(name: string, where: string, known: string[]): ApiError {
  // the name is untrusted: shown shortened and escaped
  const shown = JSON.stringify(name.slice(0, 64))
  const allowed = known.length === 0 ? 'nothing' : known.join(', ')
  return new ApiError('SYS.1007', `${where} has an unknown field ${shown}; allowed: ${allowed}`)
}
