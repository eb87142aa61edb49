import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, errorCatalogue } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { failureText, toApiError, wireError } from './failures.ts'

/** Clients act on the status, so a code that moves to another one breaks them. */
const codesByStatus: Record<number, ErrorCode[]> = {
  400: ['SYS.1007', 'SYS.1014', 'SoftwarePackage.1101', 'SoftwarePackage.1131', 'SoftwarePackage.1132'],
  401: ['ID.1000', 'ID.1001', 'ID.1007'],
  403: ['ID.1002'],
  404: ['SYS.1003'],
  409: [
    'SYS.1002',
    'SYS.1004',
    'SYS.1005',
    'SYS.1006',
    'SYS.1017',
    'ID.1006',
    'JOB.1001',
    'JOB.1002',
    'SoftwarePackage.1122',
    'SoftwarePackage.1901',
    'ClusterPlugin.1001',
  ],
  410: ['SoftwarePackage.1133'],
  429: ['ID.1003'],
  500: ['SYS.1000', 'SYS.1018', 'SoftwarePackage.1000'],
  502: [
    'SYS.1012',
    'SYS.1015',
    'SYS.1016',
    'HOST.1000',
    'HOST.1003',
    'HOST.1004',
    'HOST.1005',
    'HOST.1010',
    'BS.1003',
    'BS.1500',
    'SoftwarePackage.1300',
    'SoftwarePackage.1310',
    'ClusterPlugin.1002',
    'ClusterPlugin.1003',
    'SNS.1001',
    'MIGRATE.1001',
  ],
  503: ['SYS.1010'],
  504: ['SYS.1001'],
  507: ['SoftwarePackage.1121'],
}

test('every code has its declared status', () => {
  for (const [status, codes] of Object.entries(codesByStatus))
    for (const code of codes) assert.equal(new ApiError(code, '').status, Number(status), code)
  const listed = Object.values(codesByStatus).flat()
  const unlisted = Object.keys(errorCatalogue).filter((code) => !listed.includes(code as ErrorCode))
  assert.deepEqual(unlisted, [], 'a new code needs its line here')
})

test('a failure has two keys and six fields, and ends in the request id', () => {
  assert.equal(
    failureText(invalid('name is too long'), 'abc'),
    '{"success":false,"error":{"code":"SYS.1007","description":"invalid argument","details":"name is too long (request abc)","elaboration":null,"opaque":null,"cause":null}}',
  )
})

test('causes nest, each with six fields, and only the outermost carries the request id', () => {
  const error = new ApiError('SYS.1015', 'outer', {
    cause: new ApiError('HOST.1003', 'middle', { cause: new ApiError('SYS.1016', 'inner') }),
  })
  const wire = wireError(error, 'abc')
  assert.equal(wire.details, 'outer (request abc)')
  assert.deepEqual(wire.cause, {
    code: 'HOST.1003',
    description: 'no connection to the host',
    details: 'middle',
    elaboration: null,
    opaque: null,
    cause: {
      code: 'SYS.1016',
      description: 'input or output failed',
      details: 'inner',
      elaboration: null,
      opaque: null,
      cause: null,
    },
  })
})

test('a cause that is not in the catalogue is not returned', () => {
  assert.equal(wireError(new ApiError('SYS.1016', 'no', { cause: new Error('/etc/secret') })).cause, null)
})

const framework = (code: string, statusCode: number): Error =>
  Object.assign(new Error('raw text'), { code, statusCode })

const thrown: { name: string; error: unknown; status: number; code: ErrorCode }[] = [
  { name: 'one of ours', error: new ApiError('JOB.1001', 'no'), status: 409, code: 'JOB.1001' },
  { name: 'a body over the limit', error: framework('FST_ERR_CTP_BODY_TOO_LARGE', 413), status: 413, code: 'SYS.1007' },
  { name: 'a broken path', error: framework('FST_ERR_BAD_URL', 400), status: 400, code: 'SYS.1007' },
  {
    name: 'an internal error of the framework',
    error: framework('FST_ERR_SEND_INSIDE_ONERR', 500),
    status: 500,
    code: 'SYS.1000',
  },
  {
    name: 'an unreachable database',
    error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'a missing socket of the database',
    error: Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' }),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'no free connection to the database',
    error: new Error('timeout exceeded when trying to connect'),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'changes that collide again and again',
    error: Object.assign(new Error('could not serialize access'), { code: '40001' }),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'a full disk under SQLite',
    error: Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'a log of SQLite that cannot be synced',
    error: Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1034 }),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'a disk under SQLite that has become read-only',
    error: Object.assign(new Error('attempt to write a readonly database'), { code: 'ERR_SQLITE_ERROR', errcode: 776 }),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'a write on a connection of SQLite that only reads',
    error: Object.assign(new Error('attempt to write a readonly database'), { code: 'ERR_SQLITE_ERROR', errcode: 8 }),
    status: 500,
    code: 'SYS.1000',
  },
  {
    name: 'a damaged page of SQLite',
    error: Object.assign(new Error('database disk image is malformed'), { code: 'ERR_SQLITE_ERROR', errcode: 779 }),
    status: 500,
    code: 'SYS.1018',
  },
  {
    name: 'a file that is not of SQLite',
    error: Object.assign(new Error('file is not a database'), { code: 'ERR_SQLITE_ERROR', errcode: 26 }),
    status: 500,
    code: 'SYS.1018',
  },
  {
    name: 'a damaged page of PostgreSQL',
    error: Object.assign(new Error('invalid page in block 4'), { code: 'XX001' }),
    status: 500,
    code: 'SYS.1018',
  },
  {
    name: 'a full disk under PostgreSQL',
    error: Object.assign(new Error('could not extend file'), { code: '53100' }),
    status: 503,
    code: 'SYS.1010',
  },
  {
    name: 'a full disk of the node',
    error: Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'write', errno: -28 }),
    status: 507,
    code: 'SoftwarePackage.1121',
  },
  {
    name: 'a file that is missing',
    error: Object.assign(new Error('x'), { code: 'ENOENT' }),
    status: 500,
    code: 'SYS.1000',
  },
  { name: 'a programming error', error: new TypeError('undefined is not a function'), status: 500, code: 'SYS.1000' },
  { name: 'a string', error: 'boom', status: 500, code: 'SYS.1000' },
  { name: 'nothing at all', error: undefined, status: 500, code: 'SYS.1000' },
]

for (const { name, error, status, code } of thrown)
  test(`${name} becomes ${code} with ${status}`, () => {
    const failure = toApiError(error)
    assert.deepEqual([failure.status, failure.code], [status, code])
    assert.doesNotMatch(failureText(failure, 'abc'), /raw text|boom|function|ENOENT/, 'nothing internal is returned')
  })

test('no control character from outside reaches the details, of the error or of its cause', () => {
  const text = 'hook: a\tb\r\nc \u001b[31m\u0000\u0007\u007f\u009b\u202ed\u2066'
  const shown = 'hook: a\tb\nc \ufffd\ufffd\ufffd\ufffd\ufffdd\ufffd'
  const error = new ApiError('SoftwarePackage.1300', text, { cause: new ApiError('SYS.1016', text) })
  const { details, cause } = wireError(error)
  assert.deepEqual([details, cause?.details], [shown, shown])
})
