import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { asOwner } from '../../../jobs/ownership.ts'
import type { HookOptions } from '../driver.ts'
import { openLocalDriver } from '../local-driver.ts'
import { fenceFailure } from './fence.ts'
import { guard, guardInput } from './guard.ts'
import { ShellHost } from './shell-host.ts'
import { startProgram, type Transport } from './transport.ts'

const place = userInfo().uid === 0 ? '/run/wharf-jobs' : join(homedir(), `.wharf-jobs-${hostname()}`)
const uuid = (): string => randomBytes(16).toString('hex')

/** Jobs on one subject, on this machine. */
function fixture(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-hook-'))
  const subject = uuid()
  const jobs: string[] = []
  const driver = openLocalDriver()
  const isOurs = (name: string): boolean => name.startsWith(subject) || jobs.some((job) => name.startsWith(job))
  t.after(() => {
    rmSync(folder, { recursive: true, force: true })
    for (const name of readdirSync(place).filter(isOurs)) rmSync(join(place, name))
  })
  const trace = join(folder, 'trace')
  const newJob = (): string => {
    jobs.push(uuid())
    return jobs.at(-1) as string
  }
  const listeners: ((isRecorded: boolean) => void)[] = []
  const record = (isRecorded: boolean): void => {
    for (const listener of listeners.splice(0)) listener(isRecorded)
  }
  t.after(() => record(false))
  const owner = (jobUuid: string, fence: number) => {
    const ownership = {
      jobUuid,
      fence,
      subjectUuid: subject,
      requireOwned: () => {},
      loseOwnership: () => new Error('superseded'),
      digest: (text: string) => hash('sha256', text),
      onRecorded: (listener: (isRecorded: boolean) => void) => void listeners.push(listener),
    }
    const hook = (script: string, more: Partial<HookOptions> = {}) =>
      asOwner(ownership, () =>
        driver.run(['sh', '-c', script, 'test', trace], {
          signal: new AbortController().signal,
          folder,
          hook: { name: 'install', ...more },
        }),
      )
    const endHooks = () => asOwner(ownership, () => driver.endHooks(subject, { signal: new AbortController().signal }))
    return { hook, record, endHooks }
  }
  return {
    folder,
    subject,
    newJob,
    owner,
    get lines(): string[] {
      return existsSync(trace) ? readFileSync(trace, 'utf8').split('\n').slice(0, -1) : []
    },
    get left(): string[] {
      return readdirSync(place).filter(isOurs)
    },
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (const began = performance.now(); !holds(); await delay(10))
    assert.ok(performance.now() - began < 10_000, 'it takes too long')
}

for (const code of [0, 3])
  test(`a hook that ended with ${code} is not run again by the next owner of its job`, async (t) => {
    const one = fixture(t)
    const job = one.newJob()
    const lost = one.owner(job, 1)
    const script = `echo ran >>"$1"; exit ${code}`
    assert.deepEqual(await lost.hook(script), { exitCode: code })
    lost.record(false)
    const next = one.owner(job, 2)
    assert.deepEqual(await next.hook(script), { exitCode: code, isKept: true })
    assert.deepEqual(one.lines, ['ran'])
    // another hook of the same job, and the same one for another purpose, are run
    assert.deepEqual(await next.hook(script, { name: 'verify' }), { exitCode: code })
    assert.deepEqual(one.lines, ['ran', 'ran'])
    next.record(true)
    await until(() => one.left.every((name) => name.includes('-owner-')))
  })

test('a hook whose result is recorded leaves nothing on the host', async (t) => {
  const one = fixture(t)
  const { hook, record } = one.owner(one.newJob(), 1)
  await hook('exit 3')
  assert.equal(one.left.length, 1)
  record(true)
  await until(() => one.left.length === 0)
})

test('an owner that runs a hook again gets another run', async (t) => {
  const one = fixture(t)
  const { hook } = one.owner(one.newJob(), 1)
  for (const times of [1, 2]) {
    assert.deepEqual(await hook('echo ran >>"$1"; exit 1'), { exitCode: 1 })
    assert.equal(one.lines.length, times)
  }
  assert.equal(one.left.length, 1)
})

test('a hook that changes nothing is run again, however it ended, and leaves nothing', async (t) => {
  const one = fixture(t)
  const job = one.newJob()
  for (const fence of [1, 1, 2, 2])
    assert.deepEqual(await one.owner(job, fence).hook('echo ran >>"$1"; exit 1', { isRunAgain: true }), { exitCode: 1 })
  assert.equal(one.lines.length, 4)
  assert.deepEqual(
    one.left.filter((name) => name.includes('-done-')),
    [],
  )
})

test('a hook that was ended for its owner leaves no exit code', async (t) => {
  const one = fixture(t)
  const job = one.newJob()
  const running = assert.rejects(one.owner(job, 1).hook('trap "exit 0" TERM; echo begins >>"$1"; sleep 30 & wait'))
  await until(() => one.lines.length === 1)
  assert.deepEqual(await one.owner(job, 2).hook('echo again >>"$1"'), { exitCode: 0 })
  await running
  assert.deepEqual(one.lines, ['begins', 'again'])
})

test('the hook of an earlier job is ended before another job begins on the same subject', async (t) => {
  const one = fixture(t)
  const stubborn = 'trap "" TERM; echo first >>"$1"; (sleep 30; echo late >>"$1") & sleep 30; echo late >>"$1"'
  const first = assert.rejects(one.owner(one.newJob(), 1).hook(stubborn), /superseded/)
  await until(() => one.lines.length === 1)
  const { hook, record } = one.owner(one.newJob(), 1)
  await hook('echo second >>"$1"')
  await first
  assert.deepEqual(one.lines, ['first', 'second'])
  record(true)
  await until(() => one.left.length === 0)
})

test('the hook of an earlier job whose guard was killed is ended too', async (t) => {
  const one = fixture(t)
  const first = assert.rejects(one.owner(one.newJob(), 1).hook('echo $PPID >>"$1"; sleep 30; echo late >>"$1"'))
  await until(() => one.lines.length === 1)
  process.kill(Number(one.lines[0]), 'SIGKILL')
  await first
  await one.owner(one.newJob(), 1).hook('echo second >>"$1"')
  assert.deepEqual(one.lines.slice(1), ['second'])
})

/** A hook whose connection is lost while the host runs it on: nobody reads what it prints, and its input stays open. */
function lostHook(t: TestContext, one: ReturnType<typeof fixture>, job: string): { isRunning: () => boolean } {
  const words = [job, '1', one.subject, uuid(), '0', '', one.folder, 'setsid', '--', 'sh', '-c']
  const script = 'trap "" TERM; echo $$ >pid; echo lost >>trace; sleep 30; echo late >>trace'
  const marker = 'b'.repeat(32)
  const child = spawn('sh', ['-c', guard, marker, ...words, script], { stdio: ['pipe', 'ignore', 'ignore'] })
  t.after(() => child.stdin?.destroy())
  child.stdin?.write(guardInput('', marker))
  return { isRunning: () => existsSync(`/proc/${readFileSync(join(one.folder, 'pid'), 'utf8').trim()}`) }
}

test('a hook that its own job has lost is ended before the job starts its next one', async (t) => {
  const one = fixture(t)
  const job = one.newJob()
  const lost = lostHook(t, one, job)
  await until(() => one.lines.length === 1)
  await one.owner(job, 1).hook('echo second >>"$1"')
  assert.deepEqual(one.lines, ['lost', 'second'])
  assert.equal(lost.isRunning(), false)
})

for (const [whose, fence] of [
  ['of this owner', 1],
  ['of an earlier owner', 2],
  ['of an earlier job', 0],
] as const)
  test(`a host that is queried has ended the hook ${whose} when it answers`, async (t) => {
    const one = fixture(t)
    const job = one.newJob()
    const lost = lostHook(t, one, job)
    await until(() => one.lines.length === 1)
    const { endHooks } = one.owner(fence === 0 ? one.newJob() : job, fence || 1)
    await endHooks()
    assert.equal(lost.isRunning(), false)
    assert.deepEqual(
      one.left.filter((name) => name.includes('-run-')),
      [],
    )
    await endHooks()
  })

test('a hook of another subject runs concurrently', async (t) => {
  const one = fixture(t)
  const running = one.owner(one.newJob(), 1).hook('echo first >>"$1"; sleep 0.5; echo first ends >>"$1"')
  await until(() => one.lines.length === 1)
  await one.owner(one.newJob(), 1).hook('echo second >>"$1"', { subject: uuid() })
  await running
  assert.deepEqual(one.lines, ['first', 'second', 'first ends'])
})

/** The state of the file on the host, and the expected error. */
const damages: Record<string, [text: string | undefined, HookOptions['files'], RegExp | undefined]> = {
  'as it was inspected': ['echo', [{ path: 'a.sh', size: 4, cksum: '1153022284' }], undefined],
  empty: ['', [{ path: 'a.sh', size: 4 }], /damaged: a\.sh has 0 bytes; its inspection found 4\. Nothing was run/],
  shorter: ['ech', [{ path: 'a.sh', size: 4 }], /a\.sh has 3 bytes/],
  'of the same size but different': ['\0\0\0\0', [{ path: 'a.sh', size: 4, cksum: '1153022284' }], /or other content/],
  missing: [undefined, [{ path: 'a.sh', size: 4 }], /a\.sh is missing/],
  'empty, and was never inspected': ['', [{ path: 'a.sh' }], /a\.sh is empty/],
  'a file, and was never inspected': ['echo', [{ path: 'a.sh' }], undefined],
}
for (const [name, [text, files = [], failure]] of Object.entries(damages))
  test(`a hook whose program is ${name} ${failure ? 'fails and is not run' : 'is run'}`, async (t) => {
    const one = fixture(t)
    if (text !== undefined) writeFileSync(join(one.folder, 'a.sh'), text)
    const running = one.owner(one.newJob(), 1).hook('echo ran >>"$1"', { files })
    if (failure) await assert.rejects(running, { code: 'SoftwarePackage.1300', message: failure })
    else assert.deepEqual(await running, { exitCode: 0 })
    assert.equal(one.lines.length, failure ? 0 : 1)
  })

test('late bytes of a lost connection start nothing', async (t) => {
  const one = fixture(t)
  const late = join(one.folder, 'late')
  // bytes that were sent arrive, and the host starts the guard, when nobody is connected any more
  const slowly = `cat | { until [ -e ${late} ]; do sleep 0.02; done; "$@" >/dev/null 2>&1; echo over >>${one.folder}/over; }`
  const transport: Transport = {
    host: 'host 10.0.0.9',
    isConnected: true,
    losesPackets: true,
    open: (words) => startProgram(spawn('sh', ['-c', slowly, 'sh', ...words])),
    failure: () => new ApiError('HOST.1003', 'lost'),
    close: async () => {},
  }
  const abort = new AbortController()
  const lost = asOwner(
    { jobUuid: one.newJob(), fence: 1, requireOwned: () => {}, loseOwnership: () => new Error() },
    () =>
      new ShellHost(transport).run(['sh', '-c', 'echo ran >>trace'], {
        signal: abort.signal,
        folder: one.folder,
        hook: { name: 'install', subject: one.subject },
      }),
  )
  const failed = assert.rejects(lost)
  await delay(200)
  abort.abort(new Error('given up'))
  await delay(100)
  writeFileSync(late, '')
  await until(() => existsSync(join(one.folder, 'over')))
  await failed
  assert.deepEqual(one.lines, [])
})

/** What the file system of the notes does not take, and how it is made. */
const fullDisks = {
  'another note': 'mount -t tmpfs -o nr_inodes=2 none /run && mkdir -m 700 /run/wharf-jobs',
  'another byte': 'mount -t tmpfs -o size=4k none /run && mkdir -m 700 /run/wharf-jobs && echo >/run/full',
}
const needsRoot = userInfo().uid === 0 ? false : 'only root can mount'
for (const [what, mount] of Object.entries(fullDisks))
  test(`where the host has no space for ${what} nothing keeps running, and the error reports it`, {
    skip: needsRoot,
  }, async (t) => {
    const one = fixture(t)
    const marker = 'c'.repeat(32)
    const script = `${mount} && exec sh -c "$@"`
    const words = [uuid(), '1', uuid(), uuid(), '0', '', one.folder, 'setsid', '--', 'sh', '-c', 'sleep 30; echo >late']
    const child = spawn('unshare', [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      script,
      'sh',
      guard,
      marker,
      ...words,
    ])
    child.stdin.write(guardInput('', marker))
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (data: string) => {
      printed += data
    })
    await once(child, 'close')
    const [, reason = ''] = /fence 3 (.*)/.exec(printed) ?? []
    assert.match(
      String(fenceFailure('host 10.0.0.9', '3', reason)),
      /host 10\.0\.0\.9 has no space left for \/run\/wharf-jobs \(its notes of running jobs\): nothing was run; free space/,
    )
  })

const shells = [['dash'], ['bash'], ['busybox', 'sh']].filter(([name = '']) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name))),
)
for (const shell of shells)
  test(`${shell.join(' ')} ends a hook without heartbeat, and only then`, async (t) => {
    const one = fixture(t)
    const marker = 'a'.repeat(32)
    const start = (script: string) => {
      const words = [one.newJob(), '1', '', uuid(), '1', '', one.folder, 'setsid', '--', 'sh', '-c', script]
      const [program = '', ...args] = shell
      const child = spawn(program, [...args, '-c', guard, marker, ...words])
      child.stdin.on('error', () => {})
      child.stdin.write(guardInput('', marker))
      const lines: string[] = []
      child.stdout.setEncoding('utf8').on('data', (data: string) => lines.push(...data.split('\n')))
      return { child, result: once(child, 'close').then(() => lines.filter((line) => line.startsWith(`${marker} `))) }
    }
    const silent = start('(trap "" TERM; sleep 30) & sleep 30')
    const alive = start('sleep 2; exit 5')
    const beats = setInterval(() => alive.child.stdin.write('.'), 300)
    const ended = alive.result.finally(() => clearInterval(beats))
    alive.child.stdout.on('data', (data: string) => data.includes(`${marker} 5`) && alive.child.stdin.end('\n\n'))
    assert.deepEqual(await silent.result, [`${marker} silent`])
    assert.deepEqual(await ended, [`${marker} 5`])
    assert.deepEqual(one.left, [])
  })
