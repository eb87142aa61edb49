import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type Answer, installable, PackageFixture, type Refusal, recordIn, testRefusals } from '@wharf/testkit'
import { file, tarOf } from '@wharf/testkit/packages/archives.ts'

const argument = { status: 400, code: 'SYS.1007' }
const pathRule = { status: 400, code: 'SoftwarePackage.1131' }
const notFound = { status: 404, code: 'SYS.1003' }
const taken = { status: 409, code: 'SYS.1002' }

const maxBytes = 100_000
const fixture = await PackageFixture.start({ after }, { environment: { WHARF_MAX_PACKAGE_BYTES: String(maxBytes) } })
const { source, folder, server } = fixture
const { database } = server.app.foundation
const missing = 'f'.repeat(32)
const deadNode = 'd'.repeat(32)
const schema = {
  type: 'object',
  properties: { port: { type: 'integer', maximum: 65_535 } },
  required: ['port'],
  additionalProperties: false,
}
const url = source.serve('p.tar', installable({ hooks: { install: 'cat >/dev/null', uninstall: ':' } }))
const hostPath = join(folder, 'never/x.tar')
const packages: Record<'good' | 'strict' | 'bare' | 'stored' | 'other', string> = {
  good: '',
  strict: '',
  bare: '',
  stored: '',
  other: '',
}

before(async () => {
  const at = (name: string): string => join(folder, name)
  const uploaded = async (answer: Promise<Answer>): Promise<string> => {
    const done = await answer
    assert.equal(done.status, 200, done.text)
    return recordIn(done).uuid
  }
  packages.good = await uploaded(fixture.upload({ url, installPath: at('good.tar') }))
  packages.other = await uploaded(fixture.upload({ url, installPath: at('other.tar'), type: 'other' }))
  const strict = source.serve('strict.tar', installable({ config: schema }))
  packages.strict = await uploaded(fixture.upload({ url: strict, installPath: at('strict.tar') }))
  const bare = source.serve('bare.tar', tarOf(file('README')))
  packages.bare = await uploaded(fixture.upload({ url: bare, installPath: at('bare.tar') }))
  packages.stored = await uploaded(fixture.toStorage({ url, installPath: 'stored.tar' }))
  const node = { uuid: deadNode, hostName: 'gone', url: null, version: '1', status: 'Dead' as const }
  await database.transaction((tx) =>
    tx
      .insertInto('managementNodes')
      .values({ ...node, createDate: 1, lastOpDate: 1 })
      .execute(),
  )
})

const toHost = (params: Record<string, unknown>) => () => fixture.upload({ url, installPath: hostPath, ...params })
const toStorage = (params: Record<string, unknown>) => () => fixture.toStorage({ url, installPath: 'x.tar', ...params })
const install = (which: keyof typeof packages, config?: unknown) => () => fixture.install(packages[which], config)

const hostPaths: readonly [path: string, rule: string][] = [
  ['x.tar', 'absolute'],
  ['./x.tar', 'absolute'],
  ['/', 'folder'],
  ['/opt/', 'folder'],
  ['/opt//x', '//'],
  ['//opt/x', '//'],
  ['/opt/../etc/x', '..'],
  ['/opt/..', '..'],
  ['/opt/./x', '. or ..'],
  ['/opt/a b', 'only letters'],
  ['/opt/$(id)', 'only letters'],
  ['/opt/a;b', 'only letters'],
  ['/opt/ü', 'only letters'],
  ['/opt/a*', 'only letters'],
  ['/opt/~root', 'only letters'],
  ['/opt/a\\b', 'only letters'],
  ...'/etc /boot /dev /proc /sys /run /bin /sbin /lib /lib64 /usr/bin /usr/sbin /usr/lib /usr/lib64 /var/spool/cron'
    .split(' ')
    .flatMap((one): [string, string][] => [
      [one, one],
      [`${one}/wharf/x.tar`, one],
    ]),
  ['/root/.ssh/authorized_keys', '.ssh'],
  ['/srv/.ssh', '.ssh'],
  [join(server.environment.WHARF_DATA ?? '', 'x.tar'), 'not for packages'],
  [server.environment.WHARF_DATA ?? '', 'not for packages'],
]

const storagePaths: readonly [path: string, rule: string][] = [
  ['/', 'file'],
  ['../x', '..'],
  ['a/../../x', '..'],
  ['/../x', '..'],
  ['./x', '. or ..'],
  ['a/', 'folder'],
  ['a//x', '//'],
  ['//x', ''],
  ['a b', 'only letters'],
  ['`id`', 'only letters'],
]

const urls: readonly [url: string, rule: string][] = [
  ['ftp://127.0.0.1/x.tar', 'must begin with'],
  ['javascript:alert(1)', 'must begin with'],
  ['/etc/passwd', 'must begin with'],
  ['http:/127.0.0.1/x', 'must begin with'],
  ['http:///x', 'slash'],
  ['http://host\\@other/x', 'backslash'],
  ['http://', 'not a valid'],
  ['http://127.0.0.1:99999/x', 'not a valid'],
  ['file://host/x', 'without a host'],
  ['file:///a/../b', '..'],
  ['file:///a%2Fb', '%2F'],
  ['file:///a%00b', 'control'],
  ['upload://', 'name a file'],
  ['upload://..', 'name a file'],
  ['upload://a/b.tar', 'slashes'],
  ['upload://a%2Fb.tar', 'slashes'],
  ['upload://%zz', '%'],
  ['upload://a.tar?size=-1', 'whole number'],
  ['upload://a.tar?size=1e3', 'whole number'],
  ['upload://a.tar?size=0x10', 'whole number'],
  ['upload://a.tar?size=', 'whole number'],
  ['upload://a.tar?size=1&size=1', 'more than once'],
  ['upload://a.tar?md5=abc', '32 hex'],
  [`upload://a.tar?md5=${'g'.repeat(32)}`, '32 hex'],
  ['upload://a.tar?sha1=abc', 'only size and md5'],
]

const tooLarge = { url: `upload://a.tar?size=${maxBytes + 1}` }

const rows: Refusal[] = [
  { name: 'an upload that announces too many bytes', send: toHost(tooLarge), ...argument, status: 413 },
  { name: 'an upload to storage that announces too many bytes', send: toStorage(tooLarge), ...argument, status: 413 },
  { name: 'a host that does not exist', send: toHost({ hostUuid: missing }), ...notFound, details: 'host' },
  { name: 'a node that does not exist', send: toHost({ managementNodeUuid: missing }), ...notFound, details: 'node' },
  { name: 'a node that is dead', send: toHost({ managementNodeUuid: deadNode }), status: 502, code: 'SYS.1012' },
  { name: 'a storage that does not exist', send: toStorage({ backupStorageUuid: missing }), ...notFound },
  {
    name: 'to install a package that does not exist',
    send: () => fixture.install(missing),
    ...notFound,
    details: 'package',
  },
  {
    name: 'to uninstall a package that does not exist',
    send: () => fixture.uninstall(missing),
    ...notFound,
    details: 'package',
  },
  {
    name: 'to delete a package that does not exist',
    send: () => fixture.admin.delete(`/v1/software-package/${missing}`),
    ...notFound,
    details: 'package',
  },
  { name: 'a hostUuid that is not a uuid', send: toHost({ hostUuid: 'host' }), ...argument, details: 'hostUuid' },
  {
    name: 'a uuid with a letter past f',
    send: toHost({ resourceUuid: 'G'.repeat(32) }),
    ...argument,
    details: 'resourceUuid',
  },
  { name: 'a type with a space', send: toHost({ type: 'a b' }), ...argument, details: 'type' },
  { name: 'a type that starts with a dash', send: toHost({ type: '-rf' }), ...argument, details: 'type' },
  { name: 'a blank name', send: toHost({ name: ' ' }), ...argument, details: 'name' },
  { name: 'a name with a line break', send: toHost({ name: 'a\nb' }), ...argument, details: 'name' },
  { name: 'a path with NUL', send: toHost({ installPath: '/opt/a\0b' }), ...argument, details: 'installPath' },
  { name: 'no url', send: toHost({ url: null }), ...argument, details: 'url' },
  { name: 'an unknown field', send: toHost({ md5sum: 'x' }), ...argument, details: 'md5sum' },
  { name: 'a second package at one path', send: toHost({ installPath: join(folder, 'good.tar') }), ...taken },
  { name: 'a second package at one path on storage', send: toStorage({ installPath: '/stored.tar' }), ...taken },
  { name: 'a uuid that is taken', send: () => toHost({ resourceUuid: packages.good })(), ...taken },
  { name: 'a uuid that is taken, on storage', send: () => toStorage({ resourceUuid: packages.good })(), ...taken },
  {
    name: 'a uuid that is taken, in slices',
    send: () => toHost({ resourceUuid: packages.good, url: 'upload://a' })(),
    ...taken,
  },
  {
    name: 'to install a package whose wharf.json has another type',
    send: install('other'),
    status: 400,
    code: 'SoftwarePackage.1101',
    details: 'demo',
  },
  { name: 'to install a package without wharf.json', send: install('bare'), status: 400, code: 'SoftwarePackage.1132' },
  { name: 'a configuration without a required field', send: install('strict'), ...argument, details: 'port' },
  { name: 'a configuration out of range', send: install('strict', { port: 70_000 }), ...argument, details: 'port' },
  {
    name: 'a configuration with an unknown field',
    send: install('strict', { port: 1, prot: 2 }),
    ...argument,
    details: 'prot',
  },
  { name: 'a configuration that is not JSON', send: install('strict', 'port=1'), ...argument, details: 'JSON object' },
  { name: 'a configuration that is a list', send: install('strict', '[1]'), ...argument, details: 'JSON object' },
  { name: 'to install from storage without a host', send: install('stored'), ...argument, details: 'hostUuid' },
  {
    name: 'to install from storage on a host that does not exist',
    send: install('stored', { hostUuid: missing }),
    ...notFound,
  },
]
testRefusals(fixture, [
  ...hostPaths.map(([installPath, details]) => {
    return { name: `the path ${installPath} on a host`, send: toHost({ installPath }), ...pathRule, details }
  }),
  ...storagePaths.map(([installPath, details]) => {
    return { name: `the path ${installPath} on storage`, send: toStorage({ installPath }), ...pathRule, details }
  }),
  ...urls.flatMap(([bad, details]) => [
    { name: `the URL ${bad}`, send: toHost({ url: bad }), ...argument, details },
    { name: `the URL ${bad} for storage`, send: toStorage({ url: bad }), ...argument, details },
  ]),
  ...rows,
])
