import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipped, installable } from '@wharf/testkit'
import { file, hostileTars, tarOf } from '../../../../testkit/src/packages/archives.ts'
import { freshHome } from '../../testing/captured-io.ts'
import { declaredType } from './declared-type.ts'

const manifest = JSON.stringify({ name: 'x', version: '1', type: 'demo' })

test('reads the declared type of a package', (t) => {
  const folder = freshHome(t)
  const typeOf = (bytes: Buffer): string | undefined => {
    const path = join(folder, 'archive')
    writeFileSync(path, bytes)
    return declaredType(path)
  }
  const large = { name: 'a-large-file', data: randomBytes(3 * 2 ** 20) }
  const rows: [string, Buffer, string | undefined][] = [
    ['a tar', installable(), 'demo'],
    ['a tar.gz', gzipped(installable()), 'demo'],
    ['a tar.gz that is longer than the read limit', gzipped(installable({ more: [large] })), 'demo'],
    ['everything in one folder', tarOf(file('x/a', 'a'), file('x/wharf.json', manifest)), 'demo'],
    ['not everything in one folder', tarOf(file('x/wharf.json', manifest), file('y/a', 'a')), undefined],
    ['a manifest deeper down', tarOf(file('x/y/wharf.json', manifest)), undefined],
    [
      'a manifest after the read limit',
      gzipped(tarOf({ ...file('a'), data: large.data }, file('wharf.json', manifest))),
      undefined,
    ],
    [
      'a manifest after a large file of a tar',
      tarOf({ ...file('a'), data: large.data }, file('wharf.json', manifest)),
      'demo',
    ],
    ['a manifest that is not JSON', tarOf(file('wharf.json', '{')), undefined],
    ['a manifest without a type', tarOf(file('wharf.json', '{"type": 5}')), undefined],
    ['a truncated archive', installable().subarray(0, 540), undefined],
    ['not an archive', Buffer.from('hello'), undefined],
    ['an empty file', Buffer.alloc(0), undefined],
  ]
  for (const [name, bytes, type] of rows) assert.equal(typeOf(bytes), type, name)
  // hostile archives neither throw nor hang
  for (const { build } of hostileTars) typeOf(build(folder))
})

test('reads every format of tar(1)', (t) => {
  const folder = freshHome(t)
  mkdirSync(join(folder, 'pack'))
  writeFileSync(join(folder, 'pack/wharf.json'), manifest)
  for (const format of ['gnu', 'pax', 'ustar'])
    for (const [from, path] of [
      ['pack', '.'],
      ['pack', 'wharf.json'],
      ['.', 'pack'],
    ] as const) {
      const archive = join(folder, 'archive.tar.gz')
      execFileSync('tar', ['-czf', archive, `--format=${format}`, '-C', join(folder, from), path])
      assert.equal(declaredType(archive), 'demo', `${format} ${path}`)
    }
})
