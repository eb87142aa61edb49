import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type FileSourceOptions, isInside, openFileSource } from './file-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'file-source-'))
after(() => rmSync(folder, { recursive: true }))
const root = join(folder, 'root')
const outside = join(folder, 'outside')
mkdirSync(join(root, 'deep'), { recursive: true })
mkdirSync(outside)
mkdirSync(join(folder, 'root-beside'))
writeFileSync(join(root, 'a b.tar'), 'inside')
writeFileSync(join(root, 'empty'), '')
writeFileSync(join(root, '..odd'), 'odd')
writeFileSync(join(outside, 'secret'), 'outside')
writeFileSync(join(folder, 'root-beside', 'secret'), 'outside')
symlinkSync('../a b.tar', join(root, 'deep', 'link-inside'))
symlinkSync(join(outside, 'secret'), join(root, 'link-outside'))
symlinkSync('../outside', join(root, 'folder-outside'))
symlinkSync('chain', join(root, 'chain-start'))
symlinkSync('link-outside', join(root, 'chain'))
symlinkSync('loop', join(root, 'loop'))
symlinkSync('nothing', join(root, 'dangling'))
symlinkSync('/dev/zero', join(root, 'device'))
symlinkSync('/proc/self/environ', join(root, 'environ'))
symlinkSync(root, join(folder, 'root-link'))
linkSync(join(root, 'a b.tar'), join(root, 'hard'))
execFileSync('sh', ['-c', 'mkfifo fifo'], { cwd: root })

const options = (more: Partial<FileSourceOptions> = {}): FileSourceOptions => ({
  signal: new AbortController().signal,
  roots: [root],
  maxBytes: 1000,
  ...more,
})
/** In this folder only, since the process opens and closes other files. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })

/** A stream closes its file shortly after its end. */
async function assertClosed(before: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 500 && openFiles().length > before.length; tries++) await delay(10)
  assert.deepEqual(openFiles(), before)
}

test('returns the bytes, the size and the name of a file below a root', async () => {
  const rows: [path: string, roots: string[], content: string][] = [
    [join(root, 'a b.tar'), [root], 'inside'],
    [join(root, 'a b.tar'), [outside, root], 'inside'],
    [join(root, 'a b.tar'), ['/'], 'inside'],
    [join(root, 'a b.tar'), [`${root}/`], 'inside'],
    [join(root, 'a b.tar'), [join(folder, 'root-link')], 'inside'],
    [join(folder, 'root-link', 'a b.tar'), [join(folder, 'root-link')], 'inside'],
    [join(root, 'deep', 'link-inside'), [root], 'inside'],
    [join(root, 'hard'), [root], 'inside'],
    [join(root, '..odd'), [root], 'odd'],
    [join(root, 'empty'), [root], ''],
    [join(root, 'link-outside'), [root, outside], 'outside'],
  ]
  const before = openFiles()
  for (const [path, roots, content] of rows) {
    const { stream, size, fileName } = await openFileSource(path, options({ roots }))
    assert.deepEqual({ size, fileName }, { size: content.length, fileName: path.split('/').at(-1) })
    assert.equal(await text(stream), content, path)
  }
  await assertClosed(before)
})

test('refuses files elsewhere, links to elsewhere, and anything but regular files', async (t) => {
  const listening = createServer().listen(join(root, 'socket'))
  t.after(() => listening.close())
  const rows: [path: string, message: RegExp][] = [
    ['/etc/passwd', /WHARF_FILE_ROOTS/],
    ['/nowhere/at/all', /WHARF_FILE_ROOTS/],
    [root, /WHARF_FILE_ROOTS/],
    [join(folder, 'root-beside', 'secret'), /WHARF_FILE_ROOTS/],
    [`${root}/../outside/secret`, /WHARF_FILE_ROOTS/],
    [join(root, 'link-outside'), /WHARF_FILE_ROOTS/],
    [join(root, 'chain-start'), /WHARF_FILE_ROOTS/],
    [join(root, 'folder-outside', 'secret'), /WHARF_FILE_ROOTS/],
    [join(root, 'folder-outside'), /WHARF_FILE_ROOTS/],
    [join(root, 'device'), /WHARF_FILE_ROOTS/],
    [join(root, 'environ'), /WHARF_FILE_ROOTS/],
    [join(root, 'deep'), /not a regular file$/],
    [join(root, 'fifo'), /not a regular file$/],
    [join(root, 'socket'), /not a regular file$/],
  ]
  const before = openFiles()
  for (const [path, message] of rows) {
    const refused = { code: 'SYS.1007', status: 400, message: message }
    await assert.rejects(openFileSource(path, options()), refused, path)
  }
  await assertClosed(before)
})

test('refuses every file when no root is configured', async () => {
  const refused = { code: 'SYS.1007', message: /WHARF_FILE_ROOTS names no folder$/ }
  await assert.rejects(openFileSource(join(root, 'a b.tar'), options({ roots: [] })), refused)
})

test('reports why a file cannot be read', async () => {
  const rows: [name: string, message: RegExp][] = [
    ['nothing', /no such file or directory$/],
    ['dangling', /no such file or directory$/],
    ['a b.tar/x', /not a directory$/],
    ['loop', /too many symbolic links encountered$/],
    ['x'.repeat(300), /name too long$/],
  ]
  for (const [name, message] of rows) {
    const failed = { code: 'SYS.1016', status: 502, message: message }
    await assert.rejects(openFileSource(join(root, name), options()), failed, name)
  }
})

test('a file above the limit is 413, and leaves nothing open', async () => {
  const before = openFiles()
  const refused = { code: 'SYS.1007', status: 413, message: /has 6 bytes: .*at most 5 bytes/ }
  await assert.rejects(openFileSource(join(root, 'a b.tar'), options({ maxBytes: 5 })), refused)
  await assertClosed(before)
})

test('a folder that is replaced by a link during the open exposes no other file', async () => {
  const [real, link, path] = [join(root, 'swapped'), join(folder, 'swap'), join(root, 'swapped', 'secret')]
  mkdirSync(real)
  writeFileSync(path, 'inside')
  symlinkSync(outside, link)
  const before = openFiles()
  let done = false
  const swapping = (async () => {
    while (!done) {
      renameSync(real, join(folder, 'aside'))
      renameSync(link, real)
      await new Promise(setImmediate)
      renameSync(real, link)
      renameSync(join(folder, 'aside'), real)
      await new Promise(setImmediate)
    }
  })()
  const seen = new Set<string>()
  for (let round = 0; round < 500; round++) {
    const content = await openFileSource(path, options()).then(
      ({ stream }) => text(stream),
      (error: { code: string }) => error.code,
    )
    seen.add(content)
  }
  done = true
  await swapping
  assert.ok(!seen.has('outside'), [...seen].join())
  assert.ok(seen.has('SYS.1007'), 'the replacement happened during an open')
  await assertClosed(before)
})

test('a file that shrinks meanwhile fails, and one that grows ends at its first size', async () => {
  const path = join(root, 'changing')
  writeFileSync(path, Buffer.alloc(2_000_000))
  const shrinking = await openFileSource(path, options({ maxBytes: 2_000_000 }))
  truncateSync(path, 10)
  await assert.rejects(buffer(shrinking.stream), { code: 'SYS.1016', message: /ended after \d+ of 2000000 bytes$/ })
  const growing = await openFileSource(path, options())
  writeFileSync(path, Buffer.alloc(100))
  assert.equal((await buffer(growing.stream)).length, 10)
})

test('abort ends the read with its reason, and leaves nothing open', async () => {
  const path = join(root, 'large')
  writeFileSync(path, Buffer.alloc(5_000_000))
  const before = openFiles()
  const controller = new AbortController()
  const { signal } = controller
  const { stream } = await openFileSource(path, options({ signal, maxBytes: 5_000_000 }))
  const reason = new Error('cancelled')
  const reading = buffer(stream)
  controller.abort(reason)
  await assert.rejects(reading, (error) => error === reason)
  await assert.rejects(openFileSource(path, options({ signal })), (error) => error === reason)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await assertClosed(before)
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

test('inside means strictly below', () => {
  const rows: [folder: string, path: string, inside: boolean][] = [
    ['/a', '/a/b', true],
    ['/a/', '/a/b', true],
    ['/', '/a', true],
    ['/a', '/a/..b', true],
    ['/a', '/a', false],
    ['/a', '/ab', false],
    ['/a', '/', false],
    ['/a', '/b/a', false],
    ['/a/b', '/a', false],
    ['/a', '/a/../b', false],
  ]
  for (const [parent, path, inside] of rows) assert.equal(isInside(parent, path), inside, `${path} in ${parent}`)
})
