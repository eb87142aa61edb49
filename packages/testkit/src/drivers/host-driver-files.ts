import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { hostileNames } from '../hostile-words.ts'
import { hostsNeedRoot } from '../hosts/hosts.ts'
import type { DriverUnderTest } from './driver-under-test.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function describeDriverFiles(current: () => DriverUnderTest): void {
  const { signal } = new AbortController()
  const at = (name: string): string => `${current().folder}/${name}`
  const exec = (script: string): Promise<string> => current().exec(script)
  const put = (bytes: Readable | string | Buffer, path: string): Promise<void> =>
    current().driver.put(bytes instanceof Readable ? bytes : Readable.from([bytes]), path, { signal })
  const get = (path: string): Promise<Buffer> => buffer(current().driver.get(path, { signal }))
  const contentsOf = async (folder: string): Promise<string[]> =>
    (await exec(`ls -A ${quoted(folder)}`)).split('\n').filter((name) => name !== '')
  const freshFolder = async (name: string): Promise<string> => {
    await exec(`mkdir ${quoted(at(name))}`)
    return at(name)
  }
  const refused = (code: string, message = /./) => {
    return (error: unknown): boolean => {
      assert.ok(error instanceof ApiError, String(error))
      assert.equal(error.code, code, error.message)
      assert.match(error.message, message)
      return true
    }
  }

  describe('put and get', () => {
    for (const [what, bytes] of Object.entries({
      nothing: Buffer.alloc(0),
      text: Buffer.from('text\n'),
      'zeros at the end': Buffer.alloc(100),
      'five mebibytes': randomBytes(5 * 1024 * 1024),
      'what looks like a marker': Buffer.from(`\n${'a'.repeat(32)}\n${'0'.repeat(32)}`),
    })) {
      test(`carry ${what}`, async () => {
        const folder = await freshFolder(`carry ${what}`)
        await put(bytes, `${folder}/file`)
        assert.deepEqual(await contentsOf(folder), ['file'])
        assert.equal((await exec(`md5sum <${quoted(`${folder}/file`)}`)).length, 36)
        assert.ok((await get(`${folder}/file`)).equals(bytes))
      })
    }

    test('accept any file name', async () => {
      const folder = await freshFolder('names')
      const names = hostileNames.filter((_, index) => index % 8 === 0)
      for (const name of names) {
        await put(`of ${name}`, `${folder}/${name}`)
        assert.equal(String(await get(`${folder}/${name}`)), `of ${name}`)
      }
      assert.equal(Number(await exec(`find ${quoted(folder)} -type f -print0 | tr -dc '\\000' | wc -c`)), names.length)
      for (const name of names) await current().driver.remove(`${folder}/${name}`, { signal })
      assert.deepEqual(await contentsOf(folder), [])
    })

    for (const path of [
      '',
      'relative',
      '/',
      '/a/../b',
      '/a//b',
      '/a/',
      '/a/./b',
      '-rf',
      '/nul\0byte',
      `/${'x'.repeat(5000)}`,
    ]) {
      test(`refuse the path ${JSON.stringify(path.slice(0, 20))}`, async () => {
        await assert.rejects(put('x', path), refused('SYS.1007'))
        await assert.rejects(get(path), refused('SYS.1007'))
        await assert.rejects(current().driver.remove(path, { signal }), refused('SYS.1007'))
      })
    }
  })

  describe('put', () => {
    for (const [what, make] of Object.entries({
      'a file': 'echo old >',
      'a folder': 'mkdir',
      'a dangling link': 'ln -s /missing',
      'a FIFO': 'mkfifo',
    })) {
      test(`never replaces ${what}`, async () => {
        const folder = await freshFolder(`existing ${what}`)
        await exec(`${make} ${quoted(`${folder}/target`)}`)
        const before = await exec(`ls -l ${quoted(folder)}`)
        await assert.rejects(put('new', `${folder}/target`), refused('SYS.1002', /target/))
        assert.equal(await exec(`ls -l ${quoted(folder)}`), before)
      })
    }

    test('never replaces what appears while it writes', async () => {
      const folder = await freshFolder('appears')
      const slowly = Readable.from(
        (async function* () {
          yield 'first'
          await exec(`echo other >${quoted(`${folder}/target`)}`)
          yield 'second'
        })(),
      )
      await assert.rejects(put(slowly, `${folder}/target`), refused('SYS.1002'))
      assert.deepEqual(await contentsOf(folder), ['target'])
      assert.equal(await exec(`cat ${quoted(`${folder}/target`)}`), 'other\n')
    })

    test('shows nothing under its name before it is complete', async () => {
      const folder = await freshFolder('whole')
      const seen: string[][] = []
      const slowly = Readable.from(
        (async function* () {
          yield Buffer.alloc(200_000)
          await delay(100)
          seen.push(await contentsOf(folder))
          yield 'end'
        })(),
      )
      await put(slowly, `${folder}/target`)
      assert.match(seen[0]?.join() ?? '', /^target\.[0-9a-f]+\.part$/)
      assert.deepEqual(await contentsOf(folder), ['target'])
    })

    test('leaves nothing when its source fails, and throws what the source threw', async () => {
      const folder = await freshFolder('source fails')
      const failure = new Error('the download broke off')
      const failing = Readable.from(
        (async function* () {
          yield Buffer.alloc(300_000)
          throw failure
        })(),
      )
      await assert.rejects(put(failing, `${folder}/target`), (error) => error === failure)
      assert.deepEqual(await contentsOf(folder), [])
    })

    test('leaves nothing when it is aborted', async () => {
      const folder = await freshFolder('aborted')
      for (const ms of [0, 5, 10, 20, 40, 80]) {
        const reason = new Error('enough')
        const stop = new AbortController()
        const endless = new Readable({ read: () => void setImmediate(() => endless.push(Buffer.alloc(65_536))) })
        setTimeout(() => stop.abort(reason), ms)
        const putting = current().driver.put(endless, `${folder}/target`, { signal: stop.signal })
        await assert.rejects(putting, (error) => error === reason)
        assert.equal(endless.destroyed, true)
      }
      assert.deepEqual(await contentsOf(folder), [])
    })

    test('reports a missing folder with the message of the host', async () => {
      await assert.rejects(
        put('x', at('missing/file')),
        refused('SYS.1016', /cannot write .*missing\/file.*(nonexist|No such)/),
      )
    })
  })

  describe('a small disk', { skip: hostsNeedRoot }, () => {
    const small = (): string => at('small disk')
    before(async () => {
      await exec(`mkdir ${quoted(small())}; mount -t tmpfs -o size=1m small ${quoted(small())}`)
    })
    after(async () => {
      await exec(`umount ${quoted(small())}`)
    })

    test('refuses a larger file and leaves nothing', async () => {
      const large = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(65_536)))
      await assert.rejects(put(large, `${small()}/file`), refused('SoftwarePackage.1121', /small disk\/file/))
      assert.deepEqual(await contentsOf(small()), [])
    })

    test('reports its capacity', async () => {
      const mebibyte = 1024 * 1024
      await put(Buffer.alloc(mebibyte / 4), `${small()}/quarter`)
      const usage = await current().driver.usage(`${small()}/no/such/folder`, { signal })
      assert.deepEqual(usage, { totalCapacity: mebibyte, availableCapacity: (mebibyte * 3) / 4 })
      await current().driver.remove(`${small()}/quarter`, { signal })
    })

    test('refuses writes with the message of the host when it is read-only', async () => {
      await exec(`mount -o remount,ro ${quoted(small())}`)
      await assert.rejects(put('x', `${small()}/file`), refused('SYS.1016', /Read-only file system/))
      await assert.rejects(current().driver.remove(small(), { signal }), refused('SYS.1016', /small disk/))
      await exec(`mount -o remount,rw ${quoted(small())}`)
    })
  })

  describe('get', () => {
    test('reports with the message of the host what cannot be read', async () => {
      await exec(`mkfifo ${quoted(at('fifo'))}`)
      await assert.rejects(get(at('missing')), refused('SYS.1016', /cannot read .*missing.*No such file/))
      await assert.rejects(get(current().folder), refused('SYS.1016', /not a file/))
      await assert.rejects(get(at('fifo')), refused('SYS.1016', /not a file/))
    })

    test('can be stopped before its end', async () => {
      await exec(`head -c 50000000 /dev/zero >${quoted(at('long'))}`)
      const reading = current().driver.get(at('long'), { signal })
      for await (const chunk of reading) {
        assert.ok(chunk.length > 0)
        break
      }
      const stop = new AbortController()
      const reason = new Error('enough')
      const aborted = current().driver.get(at('long'), { signal: stop.signal })
      aborted.once('data', () => {
        aborted.pause()
        stop.abort(reason)
      })
      await assert.rejects(buffer(aborted), (error) => error === reason)
      for (
        let tries = 0;
        (await exec(`ps -e -o stat= -o args= | grep -c '^[^Z].*[c]at .*/long' || true`)).trim() !== '0';
        tries++
      ) {
        assert.ok(tries < 50, 'it is still being read')
        await delay(50)
      }
    })
  })

  describe('remove', () => {
    test('removes a folder with its contents, and succeeds when nothing exists', async () => {
      await exec(`mkdir -p ${quoted(at('tree/a/b'))}; touch ${quoted(at('tree/a/b/c'))} ${quoted(at('beside'))}`)
      await current().driver.remove(at('tree'), { signal })
      await current().driver.remove(at('tree'), { signal })
      await exec(`test ! -e ${quoted(at('tree'))} && test -e ${quoted(at('beside'))}`)
    })

    test('removes a link and keeps its target', async () => {
      await exec(`mkdir ${quoted(at('kept'))}; touch ${quoted(at('kept/file'))}; ln -s kept ${quoted(at('link'))}`)
      await current().driver.remove(at('link'), { signal })
      await exec(`test ! -L ${quoted(at('link'))} && test -e ${quoted(at('kept/file'))}`)
    })
  })

  describe('usage, facts and ping', () => {
    test('measure the nearest existing folder, and create none', async () => {
      const { driver } = current()
      const usage = await driver.usage(at('not/yet/there'), { signal })
      assert.ok(usage.totalCapacity > 0)
      assert.ok(usage.availableCapacity <= usage.totalCapacity)
      assert.equal((await driver.usage('/', { signal })).totalCapacity > 0, true)
      await exec(`test ! -e ${quoted(at('not'))}`)
    })

    test('measure load, memory and both file systems in one program', async () => {
      const { driver } = current()
      const { disk, packagesDisk, memory, load1, processors } = await driver.measure(at('not/yet/there'), { signal })
      assert.ok(disk.totalCapacity > 0 && (packagesDisk?.totalCapacity ?? 0) > 0)
      assert.ok((memory?.availableCapacity ?? 0) > 0 && (load1 ?? -1) >= 0)
      assert.equal(processors, Number(await exec('getconf _NPROCESSORS_ONLN')))
      assert.equal((await driver.measure(null, { signal })).packagesDisk, null)
    })

    test('report the host name, architecture and system', async () => {
      const facts = await current().driver.facts({ signal })
      assert.equal(facts.hostName, (await exec('uname -n')).trim())
      assert.equal(facts.architecture, (await exec('uname -m')).trim())
      assert.ok(facts.system)
    })

    test('succeed when the host is reachable', async () => {
      await current().driver.ping({ signal })
    })
  })
}
