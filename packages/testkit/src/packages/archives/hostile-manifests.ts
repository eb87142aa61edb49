import type { HostileArchive } from './hostile-archive.ts'
import { file, folder, hardLink, symlink, type TarItem, tarOf } from './tar-builder.ts'

const good = { name: 'hello', version: '1', type: 'demo' }
const manifest = (fields: object): string => JSON.stringify({ ...good, ...fields })

/** wharf.json with these fields besides the ones it needs. */
const withFields = (name: string, message: string, fields: object): HostileArchive => ({
  name: `manifest: ${name}`,
  message,
  build: () => tarOf(file('wharf.json', manifest(fields))),
})

const withItems = (name: string, message: string, ...items: TarItem[]): HostileArchive => ({
  name: `manifest: ${name}`,
  message,
  build: () => tarOf(...items),
})

const hook = (fields: object) => ({ install: { run: ['./install.sh'], ...fields } })
const nested = (depth: number): string => `${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`

export const hostileManifests: readonly HostileArchive[] = [
  withItems('no JSON', 'not JSON', file('wharf.json', '{')),
  withItems('empty', 'not JSON', file('wharf.json', '')),
  withItems('not UTF-8', 'not JSON', file('wharf.json', Buffer.from('{"name":"\xe9"}', 'latin1'))),
  withItems('a list', 'it must be object', file('wharf.json', '[]')),
  withItems('2 MiB', '1048576', file('wharf.json', ' '.repeat(2 << 20))),
  withItems('a link', 'plain file', file('x', '{}'), symlink('wharf.json', 'x')),
  withItems('a hard link', 'plain file', file('x', '{}'), hardLink('wharf.json', 'x')),
  withItems('a folder', 'plain file', folder('wharf.json')),
  withItems('there twice', 'twice', file('wharf.json', manifest({})), file('wharf.json', manifest({ name: 'other' }))),
  withItems(
    'bad, under a top folder',
    'version is missing',
    folder('a'),
    file('a/wharf.json', '{"name":"x","type":"y"}'),
  ),
  withFields('no name', 'name is missing', { name: undefined }),
  withFields('a number as name', 'name must be string', { name: 5 }),
  withFields('empty version', 'version', { version: '' }),
  withFields('newline in the name', 'name', { name: 'a\nb' }),
  withFields('type with a space', 'type', { type: 'a b' }),
  withFields('unknown field', '"instal" is not known', { instal: { run: ['x'] } }),
  withFields('unknown field of a hook', 'install."shell" is not known', hook({ shell: true })),
  withFields('hook without run', 'install.run is missing', { install: {} }),
  withFields('run as text', 'install.run must be array', hook({ run: './install.sh' })),
  withFields('empty run', 'install.run', hook({ run: [] })),
  withFields('number in run', 'install.run.1', hook({ run: ['x', 5] })),
  withFields('NUL in run', 'install.run.0', hook({ run: ['x\0y'] })),
  withFields('timeout without a unit', 'install.timeout', hook({ timeout: '10' })),
  withFields('timeout of nothing', 'install.timeout', hook({ timeout: '0s' })),
  withFields('timeout of years', 'not a duration', hook({ timeout: '99999h' })),
  withFields('port out of range', 'cluster.apiPort', { cluster: { apiPort: 70_000 } }),
  withFields('schema of another draft', '$schema', { config: { $schema: 'http://json-schema.org/draft-07/schema#' } }),
  withFields('no schema at all', 'config must be object', { config: 'object' }),
  withFields('wrong schema', 'not a JSON Schema', { config: { type: 'text' } }),
  withFields('schema with a broken pattern', 'which is none', { config: { pattern: '(' } }),
  withFields('schema from elsewhere', 'refer to itself only', { config: { $ref: 'http://127.0.0.1/schema' } }),
  withFields('schema from a file', 'refer to itself only', { config: { $ref: 'file:///etc/passwd' } }),
  withFields('schema with a part that is missing', 'not in it', { config: { $ref: '#/$defs/x' } }),
  withFields('schema that is itself', 'cannot be used to check', { config: { $ref: '#' } }),
  withFields('schema in a circle', 'cannot be used to check', {
    config: { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
  }),
  withFields('schema with names of its own', '$id', { config: { $defs: { a: { $id: 'http://127.0.0.1/' } } } }),
  withItems(
    'schema without a bottom',
    'config',
    file('wharf.json', `{"name":"a","version":"1","type":"b","config":${nested(50_000)}}`),
  ),
  withFields('image that is not there', 'not a file of the archive', {
    images: [{ key: 'GatewayImage', file: 'x.qcow2', platform: 'Linux' }],
  }),
  withFields('image outside', '".."', { images: [{ key: 'GatewayImage', file: '../x', platform: 'Linux' }] }),
  withFields('image of no use', 'images.0.key', { images: [{ key: 'Other', file: 'wharf.json', platform: 'Linux' }] }),
  withFields('two images of one key', 'twice', {
    images: [
      { key: 'GatewayImage', file: 'wharf.json', platform: 'Linux' },
      { key: 'GatewayImage', file: 'wharf.json', platform: 'Linux' },
    ],
  }),
]
