import { type ErrorCode, isOptional, type Operation, pathVariableNames } from '@wharf/contract'
import { badQueryValues, badValues, type Schema } from './bad-values.ts'
import type { Draft } from './draft.ts'
import type { Expected } from './response-fault.ts'

/** One rule broken, in a call that is right otherwise. */
export interface Breakage {
  readonly rule: string
  readonly expected: Expected
  readonly apply: (draft: Draft) => void
}

const refused = (names = '', status = 400, code: ErrorCode = 'SYS.1007', ...more: number[]): Expected => ({
  kind: 'refused',
  statuses: [status, ...more],
  code,
  names,
})

const breaks = (rule: string, names: string, apply: (draft: Draft) => void): Breakage => ({
  rule,
  expected: refused(names),
  apply,
})

/** Longer than Node's parser allows the head of a request. */
const maxHeadLength = 12_000
/** Longer than a body may be. */
const maxBodyLength = 255 * 1024

/** Every violation of one rule of this operation, derived from its declaration. */
export function breakagesOf(operation: Operation, secret: string): Breakage[] {
  const inQuery = operation.method === 'GET'
  const schemas = Object.entries(operation.fields) as unknown as [string, Schema][]
  return [
    ...schemas.flatMap(([name, schema]) => ofField(operation, name, schema, secret)),
    ...(operation.method === 'POST' ? ofTags() : []),
    ...(inQuery ? ofQuery(operation) : ofBody(operation)),
    ...ofHeaders(operation),
    ...ofPath(operation),
    ...ofCaller(operation),
  ]
}

function ofField({ method, structure }: Operation, name: string, schema: Schema, secret: string): Breakage[] {
  const set = (value: unknown) => (draft: Draft) => {
    draft.fields[name] = value
  }
  const all = method === 'GET' ? badQueryValues(schema) : badValues(schema, secret)
  // an empty string in an optional field means absent
  const values = isOptional(schema) ? all.filter(({ value }) => value !== '') : all
  const ofValue = values.map(({ rule, value }): Breakage => {
    const length = String(value).length
    const limits = method === 'GET' ? refused('', 414, 'SYS.1007', 431) : refused('', 413)
    const isTooMuch = length > (method === 'GET' ? maxHeadLength : maxBodyLength)
    return { rule: `${name}: ${rule}`, expected: isTooMuch ? limits : refused(name), apply: set(value) }
  })
  if (isOptional(schema)) return ofValue
  const absent = breaks(`${name}: missing`, name, (draft) => {
    delete draft.fields[name]
  })
  const isText = schema.type === 'string'
  const spaces = isText && schema['x-verbatim'] !== true ? ['', '  '] : isText ? [''] : []
  return [
    ...ofValue,
    absent,
    ...spaces.map((blank) => breaks(`${name}: empty`, name, set(blank))),
    ...(method === 'GET' || structure === undefined ? [] : [breaks(`${name}: null`, name, set(null))]),
  ]
}

/** Of a create; everywhere else tags are ignored. */
function ofTags(): Breakage[] {
  const set = (name: string, value: unknown) => (draft: Draft) => {
    draft.extraFields[name] = value
  }
  const system = ['uploadUrl', 'uploadUr::x', 'initconfig::{}', 'uploadUrl::\0', `nonsense::${'x'.repeat(4096)}`]
  const user = ['a\u0007b', 'a\0b', 'x'.repeat(2049), '  ']
  const many = Array.from({ length: 101 }, (_, n) => `tag ${n}`)
  return [
    ...system.map((tag) => breaks('systemTags: a typo, no text, or too long', 'systemTags', set('systemTags', [tag]))),
    ...user.map((tag) => breaks('userTags: no text', 'userTags', set('userTags', [tag]))),
    breaks('userTags: too many', 'userTags', set('userTags', many)),
    ...['x', 5, {}, [5], [null], ['\ud800']].flatMap((value) => [
      breaks('userTags: no list of texts', 'userTags', set('userTags', value)),
      breaks('systemTags: no list of texts', 'systemTags', set('systemTags', value)),
    ]),
  ]
}

function ofQuery({ queries, fields }: Operation): Breakage[] {
  const add = (text: string) => (draft: Draft) => {
    draft.query = text
  }
  const odd = ['nonsense', 'AccessKeySecret', 'passwordHash', '__proto__', 'constructor', 'uuid OR 1=1']
  return [
    ...['nonsense', 'toString', '__proto__', 'a[b]', 'a.0', '\u7801'].map((name) =>
      breaks('an unknown field', name.replace('.0', ''), add(`${encodeURIComponent(name)}=x`)),
    ),
    ...['%', 'x=%zz', 'systemTags=%E4', '%00=x%'].map((text) => breaks('a broken escape', '', add(text))),
    ...['filterName', 'groupBy'].map((name) => ({
      rule: name,
      expected: refused(name, 400, 'SYS.1014'),
      apply: add(`${name}=x`),
    })),
    ...(queries === undefined || !('q' in fields)
      ? []
      : [
          ...odd.map((name) => breaks('q: an unknown field', 'q', add(`q=${encodeURIComponent(`${name}=x`)}`))),
          ...odd.map((name) => breaks('sort: an unknown field', 'sort', add(`sort=-${encodeURIComponent(name)}`))),
          ...['name', '=x'].map((text) => breaks('q: no condition', 'q', add(`q=${encodeURIComponent(text)}`))),
          breaks('q: no time', 'createDate', add('q=createDate%3Eyesterday')),
          breaks('q: with NUL', 'q', add('q=uuid%3Da%00b')),
        ]),
    ...(queries === undefined
      ? []
      : odd.map((name) =>
          breaks('fields: an unknown field', 'fields', add(`fields=uuid,${encodeURIComponent(name)}`)),
        )),
  ]
}

function ofBody(operation: Operation): Breakage[] {
  const { method, structure = '', fields } = operation
  const hasRequired = Object.values(fields).some((schema) => !isOptional(schema))
  const whole = (body: string | Buffer) => (draft: Draft) => {
    draft.body = body
    draft.carrier = 'body'
  }
  const typed = (type: string) => (draft: Draft) => {
    whole(JSON.stringify(structure === '' ? {} : { [structure]: {} }))(draft)
    draft.headers['content-type'] = type
  }
  const inside = (draft: Draft, name: string): void => {
    draft.fields[name] = 1
  }
  const otherTypes = ['text/plain', 'x', 'application/json;charset=latin1', 'application/xml', 'multipart/form-data']
  const unsupported: Expected = refused('Content-Type', 415)
  const packed: Expected = refused('compressed', 415)
  return [
    ...['nonsense', 'constructor', 'name ', 'hasOwnProperty', '\u7801', ''].flatMap((name) => [
      breaks('an unknown field', name, (draft) => {
        draft.carrier = 'body'
        inside(draft, name)
      }),
      breaks('an unknown field beside', name, (draft) => {
        draft.carrier = 'body'
        draft.extraFields[name] = 1
      }),
    ]),
    breaks('a prototype', '__proto__', whole('{"__proto__":{"x":1}}')),
    ...['filterName', 'groupBy'].map(
      (name): Breakage => ({
        rule: name,
        expected: refused(name, 400, 'SYS.1014'),
        apply: (draft) => {
          draft.extraFields[name] = 'x'
        },
      }),
    ),
    ...(method === 'DELETE'
      ? ['nonsense=x', 'deleteMode=nonsense', '%'].map((text) =>
          breaks('a query', text === '%' ? '' : (text.split('=')[0] ?? ''), (draft) => {
            draft.query = text
          }),
        )
      : [
          ...['x', 5, true, [], [{}]].map((value) =>
            breaks('the structure is not an object', structure, (draft) => {
              draft.carrier = 'body'
              draft.structure = value
            }),
          ),
          breaks('a query', 'nonsense', (draft) => {
            draft.query = 'nonsense=x'
          }),
        ]),
    ...(hasRequired ? ['{}', 'null', `{"${structure}":null}`, `{"${structure}":{}}`] : []).map((text) =>
      breaks('nothing required is there', '', whole(text)),
    ),
    ...['{', '{"a":1', '{} {}', 'nonsense', "{'a':1}", '\ufeff{}', '"', '[1,]'].map((text) =>
      breaks('no JSON', '', whole(text)),
    ),
    ...['[]', '"text"', '5', 'true', '[{"params":{}}]'].map((text) => breaks('no object', '', whole(text))),
    breaks('not UTF-8', 'UTF-8', whole(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))),
    breaks('too deep', 'deeper', whole(`${'['.repeat(100)}${']'.repeat(100)}`)),
    { rule: 'too large', expected: refused('', 413), apply: whole(`{"x":"${'x'.repeat(256 * 1024)}"}`) },
    ...otherTypes.map((type) => ({ rule: `the type ${type}`, expected: unsupported, apply: typed(type) })),
    {
      rule: 'compressed',
      expected: packed,
      apply: (draft) => {
        whole('{}')(draft)
        draft.headers['content-encoding'] = 'gzip'
      },
    },
  ]
}

function ofHeaders({ method, repeatable }: Operation): Breakage[] {
  const set = (headers: Record<string, string>) => (draft: Draft) => void Object.assign(draft.headers, headers)
  const timeouts = ['0', 'x', '-1', '1.5', '99999999'].map((value) =>
    breaks('X-API-Timeout', 'X-API-Timeout', set({ 'x-api-timeout': value })),
  )
  const hook = {
    rule: 'X-Web-Hook',
    expected: refused('X-Web-Hook', 400, 'SYS.1014'),
    apply: set({ 'x-web-hook': 'http://127.0.0.1:1/' }),
  }
  if (method === 'GET' || repeatable === false) return [...timeouts, hook]
  return [
    ...timeouts,
    hook,
    ...['x', 'g'.repeat(32), 'a'.repeat(31)].map((value) =>
      breaks('X-Job-UUID', 'X-Job-UUID', (draft) => {
        delete draft.headers['idempotency-key']
        draft.headers['x-job-uuid'] = value
      }),
    ),
    ...['a b', 'x'.repeat(256)].map((value) =>
      breaks('Idempotency-Key', 'Idempotency-Key', set({ 'idempotency-key': value })),
    ),
    breaks('two keys', 'differ', set({ 'idempotency-key': 'one', 'x-job-uuid': 'a'.repeat(32) })),
  ]
}

function ofPath({ path, permission, method }: Operation): Breakage[] {
  if (!path.includes('{uuid}')) return []
  const other = 'b'.repeat(32)
  const repeated = [...pathVariableNames(path).keys()].flatMap((name) => [
    breaks('a path variable repeated with another value', name, (draft) => {
      draft.fields[name] = other
    }),
    ...(method === 'GET'
      ? []
      : [
          breaks('a path variable repeated with another value in the query', name, (draft) => {
            draft.query = `${name}=${other}`
          }),
        ]),
  ])
  const set = (text: string) => (draft: Draft) => {
    draft.uuid = text
  }
  const ambiguous = ['%2F', 'a%2fb', '%00', '..', '.', '%2e%2e'].map((text) =>
    breaks('an ambiguous path', '', set(text)),
  )
  // the session calls accept any uuid
  if (permission === 'public') return [...ambiguous, ...repeated]
  const unknown = ['G'.repeat(32), 'a'.repeat(31), 'x', "'%20or%201=1", '*', '%E7%A0%81', 'login1'].map((text) => ({
    rule: 'no uuid in the path',
    expected: refused('', 404, 'SYS.1003'),
    apply: set(text),
  }))
  return [...ambiguous, ...unknown, ...repeated]
}

function ofCaller({ permission }: Operation): Breakage[] {
  if (permission === 'public') return []
  const unknown: Breakage = {
    rule: 'no credential',
    expected: refused('', 401, 'ID.1001'),
    apply: (draft) => {
      draft.as = 'nobody'
      delete draft.fields.token
    },
  }
  const mayRead = permission === 'own' || permission === 'read'
  const reader: Breakage = {
    rule: 'a reader calls',
    expected: refused('', 403, 'ID.1002'),
    apply: (draft) => {
      draft.as = 'reader'
    },
  }
  return mayRead ? [unknown] : [unknown, reader]
}
