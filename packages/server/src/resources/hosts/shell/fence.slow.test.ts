import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { asOwner } from '../../../jobs/ownership.ts'
import { openLocalDriver } from '../local-driver.ts'
import { fenceScript } from './fence.ts'

const { signal } = new AbortController()
const notesFolder = userInfo().uid === 0 ? '/run/wharf-jobs' : join(homedir(), `.wharf-jobs-${hostname()}`)

/** A job on this machine, by owners that do not know of each other. */
function job(t: TestContext) {
  const jobUuid = randomUUID().replaceAll('-', '')
  const folder = mkdtempSync(join(tmpdir(), 'wharf-fence-'))
  const driver = openLocalDriver()
  const isOfJob = (name: string): boolean => name.startsWith(jobUuid)
  t.after(() => {
    rmSync(folder, { recursive: true, force: true })
    for (const name of readdirSync(notesFolder).filter(isOfJob)) rmSync(join(notesFolder, name))
  })
  const loseOwnership = (): Error => new Error('superseded')
  const by = <T>(fence: number, work: () => Promise<T>): Promise<T> =>
    asOwner({ jobUuid, fence, requireOwned: () => {}, loseOwnership }, work)
  const trace = join(folder, 'trace')
  return {
    driver,
    folder,
    by,
    run: (fence: number, script: string) =>
      by(fence, () => driver.run(['sh', '-c', script, 'test', trace], { signal, environment: { FENCE: `${fence}` } })),
    get lines(): string[] {
      return existsSync(trace) ? readFileSync(trace, 'utf8').split('\n').slice(0, -1) : []
    },
    get left(): string[] {
      return readdirSync(notesFolder).filter(isOfJob)
    },
  }
}

const beginAndEnd = 'echo "$FENCE begins" >>"$1"; sleep 0.3; echo "$FENCE ends" >>"$1"'
/** Ignores SIGTERM, as do its child processes. */
const stubborn =
  'trap "" TERM; echo "$FENCE begins" >>"$1"; (sleep 30; echo "$FENCE late" >>"$1") & sleep 30; echo "$FENCE ends" >>"$1"'

async function waitForStart(one: { lines: string[] }): Promise<void> {
  for (let tries = 0; one.lines.length === 0; tries++) {
    assert.ok(tries < 1000, 'it has not begun')
    await delay(10)
  }
}

test('an owner leaves nothing on the host', async (t) => {
  const one = job(t)
  assert.deepEqual(await one.run(1, beginAndEnd), { exitCode: 0 })
  assert.deepEqual(await one.run(1, 'exit 7'), { exitCode: 7 })
  await one.by(1, () => one.driver.put(Readable.from([Buffer.from('bytes')]), join(one.folder, 'file'), { signal }))
  assert.deepEqual(one.left, [])
})

test('the next owner first ends the programs of an earlier one, which is refused from then on', async (t) => {
  for (const script of ['echo "$FENCE begins" >>"$1"; sleep 30; echo "$FENCE ends" >>"$1"', stubborn]) {
    const one = job(t)
    const sleeper = one.run(1, script)
    const refused = assert.rejects(sleeper, /superseded/)
    await waitForStart(one)
    assert.deepEqual(await one.run(2, beginAndEnd), { exitCode: 0 })
    await refused
    await assert.rejects(one.run(1, beginAndEnd), /superseded/)
    const put = one.by(1, () => one.driver.put(Readable.from([]), join(one.folder, 'file'), { signal }))
    await assert.rejects(put, /superseded/)
    assert.deepEqual(await one.run(2, beginAndEnd), { exitCode: 0 })
    assert.deepEqual(one.lines, ['1 begins', '2 begins', '2 ends', '2 begins', '2 ends'])
    assert.deepEqual(readdirSync(one.folder), ['trace'])
    assert.deepEqual(
      one.left.map((name) => name.slice(33)),
      ['owner-2'],
    )
  }
})

test('the next owner interrupts a file of an earlier one', async (t) => {
  const one = job(t)
  const endless = new Readable({ read: () => {} })
  endless.push(Buffer.alloc(100_000))
  const file = join(one.folder, 'file')
  const writing = one.by(1, () => one.driver.put(endless, file, { signal }))
  const refused = assert.rejects(writing)
  for (let tries = 0; readdirSync(one.folder).length === 0 && tries < 1000; tries++) await delay(10)
  await one.by(2, () => one.driver.put(Readable.from([Buffer.from('mine')]), file, { signal }))
  await refused
  assert.deepEqual(readdirSync(one.folder), ['file'])
  assert.equal(readFileSync(file, 'utf8'), 'mine')
})

test('concurrent owners never run at the same time', async (t) => {
  const one = job(t)
  const fences = [1, 2, 3, 1, 2, 3]
  await Promise.allSettled(fences.map((fence) => one.run(fence, beginAndEnd)))
  const open = new Set<string>()
  for (const line of one.lines) {
    const [fence = '', what] = line.split(' ')
    // two of the same owner may run at once: that is its own affair
    if (what === 'begins') for (const other of open) assert.ok(Number(fence) >= Number(other), one.lines.join(', '))
    if (what === 'begins') open.add(fence)
  }
  assert.equal(one.lines.filter((line) => line === '3 ends').length, 2)
})

test('a run without a job is ended by a job of its subject, and never ends one', async (t) => {
  const one = job(t)
  const subjectUuid = randomUUID().replaceAll('-', '')
  const as = (fence: number, script: string) => {
    const jobUuid = randomUUID().replaceAll('-', '')
    t.after(() => {
      const isOwn = (name: string): boolean => name.includes(jobUuid)
      for (const name of readdirSync(notesFolder).filter(isOwn)) rmSync(join(notesFolder, name))
    })
    const ownership = {
      jobUuid,
      fence,
      subjectUuid,
      requireOwned: () => {},
      loseOwnership: () => new Error('superseded'),
    }
    const argv = ['sh', '-c', script, 'test', join(one.folder, 'trace')] as const
    return asOwner(ownership, () => one.driver.run(argv, { signal, environment: { FENCE: `${fence}` } }))
  }
  const ended = assert.rejects(as(0, 'echo "$FENCE begins" >>"$1"; sleep 30'), /superseded/)
  await waitForStart(one)
  const running = as(1, 'echo "$FENCE begins" >>"$1"; sleep 1; echo "$FENCE ends" >>"$1"')
  await ended
  for (let tries = 0; one.lines.length < 2 && tries < 1000; tries++) await delay(10)
  await assert.rejects(as(0, beginAndEnd), { code: 'SYS.1006' })
  assert.deepEqual(await running, { exitCode: 0 })
  assert.deepEqual(await as(0, beginAndEnd), { exitCode: 0 })
  assert.deepEqual(one.lines, ['0 begins', '1 begins', '1 ends', '0 begins', '0 ends'])
})

test('outside of a job no ownership is checked', async () => {
  assert.deepEqual(await openLocalDriver().run(['true'], { signal }), { exitCode: 0 })
})

const needsRoot = userInfo().uid === 0 ? false : 'only root can act as two users'

/** Another user of this machine, with a home by default, and the name that it had in /tmp. */
function anotherUser(t: TestContext) {
  const uid = 50_000 + Math.floor(Math.random() * 10_000)
  const home = mkdtempSync(join(tmpdir(), 'wharf-home-'))
  chmodSync(home, 0o700)
  chownSync(home, uid, uid)
  const former = `/tmp/wharf-jobs-${uid}`
  t.after(() => {
    for (const path of [home, former]) rmSync(path, { recursive: true, force: true })
  })
  const as = { uid, gid: uid, cwd: '/' }
  const script = `${fenceScript}\nenter "$1" "$2"; printf '%s\n%s\n%s\n' "$?" "$run" "$reason"`
  const enter = (fence: number, HOME = home) => {
    const options = { ...as, env: { PATH: process.env.PATH, HOME }, encoding: 'utf8' } as const
    const { stdout } = spawnSync('sh', ['-c', script, 'sh', 'job', String(fence)], options)
    const [code, run = '', reason = ''] = stdout.split('\n')
    return { code: Number(code), run, reason }
  }
  return { as, home, former, enter }
}

const claims: Record<string, (former: string, home: string) => void> = {
  'a folder': (former) => mkdirSync(former, { mode: 0o777 }),
  'a file': (former) => writeFileSync(former, ''),
  'a link to nowhere': (former) => symlinkSync('/nowhere/at/all', former),
  'a link to a folder of theirs': (former, home) => symlinkSync(home, former),
}
for (const [what, claim] of Object.entries(claims))
  test(`another user's ${what} in /tmp blocks nobody`, { skip: needsRoot }, (t) => {
    const { home, former, enter } = anotherUser(t)
    claim(former, home)
    for (const fence of [1, 2]) {
      const { code, run, reason } = enter(fence)
      assert.equal(code, 0, reason)
      assert.ok(run.startsWith(join(home, `.wharf-jobs-${hostname()}`)), run)
    }
    const withoutHome = enter(1, '/nowhere')
    assert.equal(withoutHome.code, 3)
    assert.match(withoutHome.reason, new RegExp(`^${former} is a link or belongs to another user: remove it, or give`))
  })

test('a user without a home has its files in /tmp, closed to others', { skip: needsRoot }, (t) => {
  const { former, enter } = anotherUser(t)
  const { code, run } = enter(1, '/')
  assert.deepEqual([code, run.startsWith(former)], [0, true])
})

test('the next owner ends the programs of a server of version 1.0, which is refused', {
  skip: needsRoot,
}, async (t) => {
  const { as, former, enter } = anotherUser(t)
  // as its guard does: its own file records that it runs
  const guard = `trap 'rm -f ${former}/job-run-*; kill $!; exit' USR1; sleep 60 & wait`
  const earlier = spawn('sh', ['-c', guard], { ...as, detached: true, stdio: 'ignore' })
  const ended = once(earlier, 'exit')
  const start = readFileSync(`/proc/${earlier.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')[19]
  mkdirSync(former, { mode: 0o700 })
  const run = join(former, `job-run-1-${earlier.pid}-${start}`)
  writeFileSync(run, '')
  for (const path of [former, run]) chownSync(path, as.uid, as.gid)
  assert.equal(enter(2).code, 0)
  await ended
  assert.deepEqual(readdirSync(former), ['job-owner-2'])
})
