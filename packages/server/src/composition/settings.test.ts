import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { parseCidr } from '@wharf/platform/cidr.ts'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import { settingsHelp } from './setting-table.ts'
import { readSettings, SettingError } from './settings.ts'

const root = mkdtempSync(join(tmpdir(), 'settings-'))
after(() => rmSync(root, { recursive: true }))
for (const name of ['cert.pem', 'key.pem', 'master.key']) writeFileSync(join(root, name), name)

type Environment = Record<string, string | undefined>
const read = (environment: Environment) => readSettings(environment, { root })
const tls = { WHARF_TLS_CERT: 'cert.pem', WHARF_TLS_KEY: 'key.pem' }
const key = Buffer.alloc(32, 7)

function refusal(environment: Environment): string {
  try {
    read(environment)
  } catch (error) {
    assert.ok(error instanceof SettingError, String(error))
    return error.message
  }
  return assert.fail(`accepted ${JSON.stringify(environment)}`)
}

test('an empty environment results in the documented defaults', () => {
  assert.deepEqual(read({ PATH: '/bin', wharf_port: '1' }), {
    host: '127.0.0.1',
    port: 8080,
    basePath: '/wharf',
    trustedProxies: [],
    corsOrigins: [],
    data: join(root, 'data'),
    requireSecondFactor: 'none',
    authSchemes: ['Service'],
    timezone: 'UTC',
    holdSeconds: 240,
    logLevel: 'info',
    fileRoots: [],
    downloadAllow: [],
    componentHttp: [],
    maxPackageBytes: 2 ** 40,
    verifyIntervalMs: 3_600_000,
    releaseCacheBytes: 20 * 2 ** 30,
    localLogin: 'all',
    oidcProviders: [],
    auditDays: 400,
    discovery: 'all',
    emptyNotFound: false,
    errorAlone: false,
    jsonSchema: false,
    always202: false,
    compatibility: 'none',
  })
})

test('compatibility with a platform changes defaults that its clients expect, and each can still be set', () => {
  const expected = {
    basePath: '/zstack',
    authSchemes: ['Service', 'ZStack'],
    emptyNotFound: true,
    errorAlone: true,
    jsonSchema: true,
    always202: true,
  }
  assert.partialDeepStrictEqual(read({ WHARF_COMPATIBILITY: 'zstack' }), expected)
  const mixed = read({ WHARF_COMPATIBILITY: 'ZStack', WHARF_BASE_PATH: '/', WHARF_ALWAYS_202: 'false' })
  assert.partialDeepStrictEqual(mixed, { ...expected, basePath: '', always202: false })
  assert.match(refusal({ WHARF_COMPATIBILITY: 'aws' }), /WHARF_COMPATIBILITY is "aws": it must be one of none, zstack/)
})

test('settings cannot be changed after they were read', () => {
  assert.ok(Object.isFrozen(read({})))
})

const accepted: readonly [variable: string, given: string, setting: string, value: unknown][] = [
  ['WHARF_HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['WHARF_HOST', '[::1]', 'host', '::1'],
  ['WHARF_HOST', 'node-1.example.com', 'host', 'node-1.example.com'],
  ['WHARF_PORT', '0', 'port', 0],
  ['WHARF_PORT', ' 65535\n', 'port', 65_535],
  ['WHARF_PORT', 'tcp://10.43.0.9:8080', 'port', 8080],
  ['WHARF_BASE_PATH', '', 'basePath', ''],
  ['WHARF_BASE_PATH', '/', 'basePath', ''],
  ['WHARF_BASE_PATH', 'zstack/', 'basePath', '/zstack'],
  ['WHARF_BASE_PATH', '/a/b.c', 'basePath', '/a/b.c'],
  ['WHARF_PUBLIC_URL', 'https://Cloud.example.com:443/wharf/', 'publicUrl', 'https://cloud.example.com/wharf'],
  ['WHARF_NODE_URL', 'http://10.0.0.5:8080/', 'nodeUrl', 'http://10.0.0.5:8080'],
  ['WHARF_NODE_URL', 'https://[fd00::5]', 'nodeUrl', 'https://[fd00::5]'],
  ['WHARF_TRUSTED_PROXIES', '10.0.0.0/8, ::1,fd00::/8', 'trustedProxies', ['10.0.0.0/8', '::1', 'fd00::/8']],
  ['WHARF_TRUSTED_PROXIES', '', 'trustedProxies', []],
  [
    'WHARF_CORS_ORIGINS',
    'https://A.example.com/,http://b:8080',
    'corsOrigins',
    ['https://a.example.com', 'http://b:8080'],
  ],
  ['WHARF_DATA', '/var/lib/wharf/', 'data', '/var/lib/wharf'],
  ['WHARF_DATA', 'elsewhere', 'data', join(root, 'elsewhere')],
  ['WHARF_FILE_ROOTS', '/srv/packages, more', 'fileRoots', ['/srv/packages', join(root, 'more')]],
  ['WHARF_COMPONENT_HTTP', '10.1.0.0/16', 'componentHttp', [parseCidr('10.1.0.0/16')]],
  ['WHARF_DOWNLOAD_ALLOW', '127.0.0.0/8', 'downloadAllow', [parseCidr('127.0.0.0/8')]],
  ['WHARF_MAX_PACKAGE_BYTES', '1000', 'maxPackageBytes', 1000],
  ['WHARF_MAX_PACKAGE_BYTES', '1000000000000000', 'maxPackageBytes', 10 ** 15],
  ['WHARF_MAX_PACKAGE_BYTES', '1125899906842623', 'maxPackageBytes', 2 ** 50 - 1],
  ['WHARF_MASTER_KEY_FILE', 'master.key', 'masterKeyFile', join(root, 'master.key')],
  ['WHARF_AUTH_SCHEMES', 'Service, ZStack', 'authSchemes', ['Service', 'ZStack']],
  ['WHARF_TIMEZONE', 'Asia/Shanghai', 'timezone', 'Asia/Shanghai'],
  ['WHARF_TIMEZONE', 'utc', 'timezone', 'UTC'],
  ['WHARF_DATE_CST', '-06:00', 'dateCst', '-06:00'],
  ['WHARF_HOLD_SECONDS', '3600', 'holdSeconds', 3600],
  ['WHARF_VERIFY_INTERVAL', '10m', 'verifyIntervalMs', 600_000],
  ['WHARF_VERIFY_INTERVAL', '0', 'verifyIntervalMs', 0],
  ['WHARF_VERIFY_INTERVAL', '90', 'verifyIntervalMs', 90_000],
  ['WHARF_LOG_LEVEL', 'DEBUG', 'logLevel', 'debug'],
  ['WHARF_DISCOVERY', 'ALL', 'discovery', 'all'],
  ['WHARF_DISCOVERY', 'none', 'discovery', []],
  ['WHARF_DISCOVERY', 'eth0, br-10.7', 'discovery', ['eth0', 'br-10.7']],
  ['WHARF_ELABORATIONS', 'explained', 'elaborations', join(root, 'explained')],
  ['WHARF_EMPTY_NOT_FOUND', 'True', 'emptyNotFound', true],
]
for (const [variable, given, setting, value] of accepted)
  test(`${variable}=${JSON.stringify(given)} is read as ${inspect(value)}`, () => {
    assert.deepEqual((read({ [variable]: given }) as Record<string, unknown>)[setting], value)
  })

const refused: readonly [variable: string, ...given: string[]][] = [
  ['WHARF_HOST', '', 'a b', '10.1', '127.0.0.256', 'http://x', '*'],
  ['WHARF_PORT', '', '80a', '-1', '65536', '0x50', '1e3', '8080.0'],
  ['WHARF_BASE_PATH', '/a//b', '/..', '/a/../b', '/a b', '/a?b', '/v1', '/docs/x', '/%2f'],
  ['WHARF_PUBLIC_URL', '', 'cloud.example.com', 'ftp://x', 'http://', 'http://x?a=1', 'http://x/#f', 'http://u@x'],
  ['WHARF_TRUSTED_PROXIES', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/8/8', 'proxy', ',', '::1,', 'fe80::1%eth0'],
  ['WHARF_CORS_ORIGINS', '*', 'https://a/path', 'a.example.com', 'null'],
  ['WHARF_NODE_URL', '', '10.0.0.5:8080', 'http://10.0.0.5/wharf', 'ftp://node', 'http://u:p@node', 'http://node?a=1'],
  ['WHARF_METRICS_TOKEN', '', 'two words', 'ünï'],
  ['WHARF_DATA', '', 'a\0b'],
  [
    'WHARF_DATABASE_URL',
    '',
    'mysql://x/y',
    'localhost',
    'postgres://[bad/x',
    'postgres://u@,h2/x',
    'postgres://u@h1,/x',
  ],
  ['WHARF_MASTER_KEY', '', 'short', '0'.repeat(63), 'A'.repeat(45)],
  ['WHARF_MASTER_KEY_FILE', '', 'missing', '.'],
  ['WHARF_ADMIN_PASSWORD', '', 'a\nb', 'x'.repeat(1025)],
  ['WHARF_AUTH_SCHEMES', '', 'Service,', 'My Service', 'OAuth', 'bearer'],
  ['WHARF_TIMEZONE', '', 'Mars/Olympus', '+08:00'],
  ['WHARF_DATE_CST', '', '8', '+8:00', '+15:00', '+08:60'],
  ['WHARF_HOLD_SECONDS', '', '3601', '1.5'],
  ['WHARF_VERIFY_INTERVAL', '', '1w', '-1h', '1.5h', 'never'],
  ['WHARF_LOG_LEVEL', '', 'loud'],
  ['WHARF_DISCOVERY', '', 'eth0,', 'eth 0', 'a/b', 'x'.repeat(16)],
  ['WHARF_ELABORATIONS', '', 'a\0b'],
  ['WHARF_EMPTY_NOT_FOUND', '', '1', 'constructor'],
]
for (const [variable, ...values] of refused)
  test(`${variable} refuses an invalid value, and names the rule`, () => {
    for (const value of values) {
      const text = refusal({ [variable]: value })
      assert.match(text, new RegExp(`^${variable} is (empty|".+"|\\[secret\\]): it must be .+`))
      assert.doesNotMatch(text, /[\n\r\0]/)
    }
  })

test('an invalid value is part of the message', () => {
  assert.equal(refusal({ WHARF_PORT: '80a' }), 'WHARF_PORT is "80a": it must be a whole number from 0 to 65535')
})

test('a misspelt name is refused with the closest name, and without its value', () => {
  assert.equal(
    refusal({ WHARF_ADMIN_PASWORD: 'hush' }),
    'WHARF_ADMIN_PASWORD is not a setting: did you mean WHARF_ADMIN_PASSWORD?',
  )
  assert.equal(refusal({ WHARF_HOTS: 'x' }), 'WHARF_HOTS is not a setting: did you mean WHARF_HOST?')
})

test('an unknown name is refused with a reference to the list', () => {
  assert.equal(
    refusal({ WHARF_SOMETHING_ELSE: '' }),
    'WHARF_SOMETHING_ELSE is not a setting: wharf-server --help lists all settings',
  )
})

test('names that Kubernetes and the CLI use are ignored', () => {
  const others = {
    WHARF_SERVICE_HOST: '10.43.0.9',
    WHARF_PORT_8080_TCP_PORT: '8080',
    WHARF_DB_PORT: 'tcp://10.43.0.10:5432',
    WHARF_URL: 'http://x',
    WHARF_PROFILE: 'p',
    WHARF_ACCESS_KEY_ID: 'i',
    WHARF_ACCESS_KEY_SECRET: 's',
  }
  assert.deepEqual(read(others), read({}))
})

test('secrets are wrapped', () => {
  const settings = read({
    WHARF_METRICS_TOKEN: 'token-1',
    WHARF_ADMIN_PASSWORD: ' spaces stay ',
    WHARF_DATABASE_URL: 'postgres://u:p@db/wharf',
    WHARF_MASTER_KEY: key.toString('hex'),
  })
  assert.equal(settings.metricsToken?.reveal(), 'token-1')
  assert.equal(settings.adminPassword?.reveal(), ' spaces stay ')
  assert.equal(settings.databaseUrl?.reveal(), 'postgres://u:p@db/wharf')
  assert.equal(settings.masterKey?.reveal(), key.toString('hex'))
  assert.doesNotMatch(JSON.stringify(settings), /token-1|spaces|u:p|0707/)
})

test('settings that exclude or require each other are checked together', () => {
  const text = key.toString('base64')
  assert.match(refusal({ WHARF_MASTER_KEY: text, WHARF_MASTER_KEY_FILE: 'master.key' }), /both set/)
  assert.match(refusal({ WHARF_DATABASE_URL: 'postgres://db/wharf' }), /needs WHARF_MASTER_KEY/)
  assert.match(refusal({ WHARF_TLS_CERT: 'cert.pem' }), /set both or neither/)
  assert.match(refusal({ WHARF_TLS_KEY: 'key.pem' }), /set both or neither/)
  assert.match(refusal({ WHARF_HTTP_PORT: '8081' }), /needs WHARF_TLS_CERT/)
  assert.match(refusal({ ...tls, WHARF_PORT: '8443', WHARF_HTTP_PORT: '8443' }), /are equal/)
  read({ WHARF_DATABASE_URL: 'postgresql:///wharf?host=/run/postgresql', WHARF_MASTER_KEY_FILE: 'master.key' })
  read({ WHARF_DATABASE_URL: 'postgres://u@/wharf?host=/run/postgresql', WHARF_MASTER_KEY_FILE: 'master.key' })
  const settings = read({ ...tls, WHARF_PORT: '0', WHARF_HTTP_PORT: '0' })
  assert.deepEqual(settings.tls, { cert: join(root, 'cert.pem'), key: join(root, 'key.pem') })
  assert.equal(settings.httpPort, 0)
})

test('no refusal contains a secret', () => {
  const secrets = ['WHARF_METRICS_TOKEN', 'WHARF_ADMIN_PASSWORD', 'WHARF_DATABASE_URL', 'WHARF_MASTER_KEY']
  const others = ['WHARF_PORT', 'WHARF_TIMEZONE', 'WHARF_MASTER_KEY_FILE', 'WHARF_UNKNOWN', 'WHARF_PUBLIC_URL']
  const marker = fc.stringMatching(/^[a-z0-9]{12}$/).map((text) => `canary${text}`)
  const around = fc.string({ unit: anyCharacter, maxLength: 8 })
  const secretValue = fc.tuple(fc.constantFrom('', 'postgres://', 'mysql://u:'), around, around)
  fc.assert(
    fc.property(
      marker,
      fc.constantFrom(...secrets),
      secretValue,
      fc.constantFrom(...others),
      fc.string(),
      (...given) => {
        const [canary, secret, [scheme, before, behind], other, value] = given
        try {
          read({ [secret]: `${scheme}${before}${canary}${behind}`, [other]: value })
        } catch (error) {
          assert.ok(error instanceof SettingError)
          assert.ok(!error.message.includes(canary), error.message)
          assert.doesNotMatch(error.message, /[\p{Cc}\u2028\u2029]/u)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('the password in a refused address is masked', () => {
  assert.doesNotMatch(refusal({ WHARF_PUBLIC_URL: 'https://admin:hu/sh@cloud.example.com' }), /hu|sh@/)
  assert.doesNotMatch(refusal({ WHARF_CORS_ORIGINS: 'https://x,https://admin:hush@cloud.example.com' }), /hush/)
})

test('a mistake in WHARF_OIDC_FILE prevents the start, and none of its secrets is in the text', () => {
  const file = join(root, 'oidc.json')
  writeFileSync(file, JSON.stringify([{ id: 'corp', clientSecret: 'canary' }]))
  assert.throws(() => read({ WHARF_OIDC_FILE: file }), {
    name: 'SettingError',
    message: `WHARF_OIDC_FILE ${file}: provider 1 "corp": unknown field "clientSecret": use id, label, issuer, clientId, clientSecretFile, scopes, rules`,
  })
})

test('the help has one aligned line per setting with its default', () => {
  const lines = settingsHelp().split('\n').slice(0, -2)
  assert.equal(lines.length, 40)
  const columns = lines.map((line) => [...line.matchAll(/(?<= {2,})\S/g)].slice(0, 3).map((match) => match.index))
  assert.equal(new Set(columns.map(String)).size, 1, 'aligned')
  assert.ok(
    lines.every((line) => line.length <= 100),
    'fits a terminal',
  )
  assert.ok(lines.some((line) => /WHARF_PORT +8080 +\w/.test(line)))
  assert.ok(lines.some((line) => /WHARF_METRICS_TOKEN +- +\w/.test(line)))
})
