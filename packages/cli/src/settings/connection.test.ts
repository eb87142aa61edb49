import { strict as assert } from 'node:assert'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CapturedIo, freshHome } from '../testing/captured-io.ts'
import { type ConnectionFlags, findConnection } from './connection.ts'
import { Profiles } from './profiles.ts'

const key = (name: string) => ({ accessKeyId: `id-of-${name}`, accessKeySecret: `secret-of-${name}` })

test('precedence: flags, environment, profile, local server', (t) => {
  const home = freshHome(t)
  const data = join(home, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'bootstrap.json'), JSON.stringify({ url: 'http://local', ...key('local') }))
  const file = join(home, 'other.json')
  writeFileSync(file, JSON.stringify({ url: 'http://file', ...key('file') }))
  const bare = freshHome(t)
  const profiles = new Profiles({ env: {}, home })
  profiles.save('one', { url: 'http://one' }, key('one'))
  profiles.save('two', { url: 'http://two' }, { session: 'session-of-two' })

  profiles.save('three', { url: 'http://three:81/wharf' }, key('three'))
  profiles.save('bare', { url: 'http://one' }, undefined)

  const half = { WHARF_ACCESS_KEY_ID: 'id-of-env' }
  const local = { WHARF_DATA: data }
  const keyed = { WHARF_ACCESS_KEY_ID: 'id-of-env', WHARF_ACCESS_KEY_SECRET: 'secret-of-env' }
  const rows: {
    name: string
    home?: string
    flags?: ConnectionFlags
    env?: Record<string, string>
    url: string
    as: string | undefined
  }[] = [
    { name: 'the local server', home: bare, env: local, url: 'http://local', as: 'id-of-local' },
    { name: 'the current profile before the local server', env: local, url: 'http://one', as: 'id-of-one' },
    { name: 'a profile by the environment', env: { WHARF_PROFILE: 'two' }, url: 'http://two', as: 'session-of-two' },
    {
      name: 'a profile by its flag',
      env: { WHARF_PROFILE: 'one' },
      flags: { profile: 'two' },
      url: 'http://two',
      as: 'session-of-two',
    },
    {
      name: 'the address of the environment',
      env: { WHARF_URL: 'http://env', ...keyed },
      url: 'http://env',
      as: 'id-of-env',
    },
    { name: 'a key of the environment at the server of the profile', env: keyed, url: 'http://one', as: 'id-of-env' },
    {
      name: 'an empty variable is unset',
      env: { WHARF_URL: '', WHARF_PROFILE: '' },
      url: 'http://one',
      as: 'id-of-one',
    },
    {
      name: 'the flag before the environment',
      env: { WHARF_URL: 'http://env' },
      flags: { url: 'http://flag' },
      url: 'http://flag',
      as: undefined,
    },
    { name: 'a credential file', flags: { credentials: file }, env: keyed, url: 'http://file', as: 'id-of-file' },
    {
      name: 'no credential of one server for another',
      env: { WHARF_URL: 'http://env' },
      url: 'http://env',
      as: undefined,
    },
    {
      name: 'no local credential for another server',
      home: bare,
      env: { ...local, WHARF_URL: 'http://env' },
      url: 'http://env',
      as: undefined,
    },
    {
      name: 'a trailing slash is the same server',
      flags: { url: 'http://two/' },
      url: 'http://two/',
      as: 'session-of-two',
    },
    {
      name: 'a profile by its flag before the address and the key of the environment',
      env: { WHARF_URL: 'http://env', ...keyed },
      flags: { profile: 'two' },
      url: 'http://two',
      as: 'session-of-two',
    },
    {
      name: 'the address of the environment before the profile in use',
      env: { WHARF_URL: 'http://two' },
      url: 'http://two',
      as: 'session-of-two',
    },
    {
      name: 'no credential when the named profile has none',
      env: keyed,
      flags: { profile: 'bare' },
      url: 'http://one',
      as: undefined,
    },
    {
      name: 'a profile despite a partial key in the environment',
      env: half,
      flags: { profile: 'one' },
      url: 'http://one',
      as: 'id-of-one',
    },
    {
      name: 'the API prefix is the same server',
      flags: { url: 'http://three:81' },
      url: 'http://three:81',
      as: 'id-of-three',
    },
    {
      name: 'another prefix is another server',
      flags: { url: 'http://three:81/other' },
      url: 'http://three:81/other',
      as: undefined,
    },
    {
      name: 'another port is another server',
      flags: { url: 'http://three:82' },
      url: 'http://three:82',
      as: undefined,
    },
    {
      name: 'a credential file with --url',
      flags: { credentials: file, url: 'http://flag' },
      url: 'http://flag',
      as: 'id-of-file',
    },
    {
      name: 'the profile of the address',
      flags: { url: 'http://two' },
      url: 'http://two',
      as: 'session-of-two',
    },
  ]
  for (const row of rows) {
    const io = new CapturedIo({ env: row.env ?? {}, home: row.home ?? home })
    const { url, credential } = findConnection(io, row.flags ?? {})
    assert.deepEqual([url, credential.accessKeyId ?? credential.session], [row.url, row.as], row.name)
  }
})

test('secrets are stored only in a file that the user alone can read', (t) => {
  const home = freshHome(t)
  const folder = join(home, 'xdg', 'wharf')
  const env = { XDG_CONFIG_HOME: join(home, 'xdg') }
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const profiles = new Profiles({ env, home })
  profiles.save('one', { url: 'http://one' }, key('one'))
  const modeOf = (path: string): number => statSync(path).mode & 0o777
  assert.equal(modeOf(join(folder, 'credentials.json')), 0o600)
  assert.equal(modeOf(folder), 0o700)
  assert.equal(modeOf(join(folder, 'config.json')), 0o644)
  assert.equal(profiles.isExposed, false)

  // the next change restricts the mode again
  chmodSync(profiles.credentialsPath, 0o644)
  assert.equal(profiles.isExposed, true)
  profiles.save('two', { url: 'http://two' }, { session: 's' })
  assert.equal(modeOf(profiles.credentialsPath), 0o600)
})

test('removing a profile deletes its credential', (t) => {
  const profiles = new Profiles({ env: {}, home: freshHome(t) })
  profiles.save('one', { url: 'http://one' }, key('one'))
  profiles.remove('one')
  assert.deepEqual([profiles.names, profiles.current, profiles.credentialOf('one')], [[], undefined, undefined])
})

test('invalid profile names are rejected', (t) => {
  const profiles = new Profiles({ env: {}, home: freshHome(t) })
  for (const name of ['', '__proto__', '../x', 'a b', '-x'])
    assert.throws(() => profiles.save(name, { url: 'http://x' }, undefined), /invalid profile name/)
  assert.equal(profiles.get('constructor'), undefined)
})

test('a damaged file is reported by its name without its content', (t) => {
  const home = freshHome(t)
  const profiles = new Profiles({ env: {}, home })
  mkdirSync(join(home, '.config', 'wharf'), { recursive: true })
  writeFileSync(profiles.credentialsPath, '{"one": {"accessKeySecret": "hush')
  assert.throws(
    () => profiles.credentialOf('one'),
    ({ message }: Error) => message.includes('credentials.json is not valid JSON') && !message.includes('hush'),
  )
})
