import { strict as assert } from 'node:assert'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { installable, PackageFixture, StallingBytes, wharfCommand } from '@wharf/testkit'
import { environmentOf } from './testing/captured-io.ts'

const ctrlC = '\u0003'
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Runs the command on a pseudo-terminal with script(1). */
class Terminal {
  seen = ''
  readonly #child: ChildProcess
  readonly ended: Promise<number | null>
  static readonly opened: Terminal[] = []

  constructor(argv: readonly string[], env: Record<string, string>, columns = 80) {
    const line = `stty cols ${columns} rows 24; exec ${[...wharfCommand, ...argv].map(quoted).join(' ')}`
    const { PATH = '', HOME = '' } = process.env
    this.#child = spawn('script', ['-qefc', line, '/dev/null'], {
      env: { PATH, HOME, TERM: 'xterm', LANG: 'C.UTF-8', ...env },
    })
    Terminal.opened.push(this)
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.seen += text
    })
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null)
  }

  kill(): void {
    this.#child.kill()
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  async waitFor(pattern: RegExp, timeoutMs = 20_000): Promise<void> {
    for (const until = performance.now() + timeoutMs; !pattern.test(this.seen); await delay(20))
      if (performance.now() > until) throw new Error(`${pattern} not found in ${JSON.stringify(this.seen)}`)
  }

  /** The drawn lines in order. */
  get drawn(): string[] {
    return this.seen.split(/\r\u001b\[K|\r?\n/)
  }
}

const sizeMiB = 30
const bytesPerMs = 20 * 2 ** 10

/** The address of a slow network to the server: a small upload takes a second there. */
async function slowNetworkTo(t: TestContext, address: string): Promise<string> {
  const { port, hostname, pathname } = new URL(address)
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname)
    const slowed = new Transform({
      transform: (chunk: Buffer, _encoding, done) => void setTimeout(done, chunk.length / bytesPerMs, null, chunk),
    })
    client.pipe(slowed).pipe(server).pipe(client)
    for (const socket of [client, server])
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy()
          server.destroy()
        })
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  t.after(() => relay.close())
  return `http://${hostname}:${(relay.address() as AddressInfo).port}${pathname}`
}

test('on a real terminal', async (t) => {
  const fixture = await PackageFixture.start(t)
  const env = environmentOf(fixture.server.bootstrap)
  const slowly = { ...env, WHARF_URL: await slowNetworkTo(t, fixture.server.url) }
  const folder = mkdtempSync(join(tmpdir(), 'wharf-terminal-'))
  t.after(() => {
    // an upload of a failed test would wait for its server
    for (const terminal of Terminal.opened) terminal.kill()
    rmSync(folder, { recursive: true })
  })
  const stalled = fixture.source.serve('stalled.tar', new StallingBytes(installable(), 100).serve)
  const stall = (name: string) => [
    'package',
    'upload',
    stalled,
    '--type',
    'demo',
    '--host',
    'this-node',
    '--path',
    join(folder, name),
  ]

  await t.test('an upload has a progress bar with rate and time left that fits the terminal', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, Buffer.alloc(sizeMiB * 2 ** 20, 'wharf'))
    const terminal = new Terminal(['package', 'upload', file, '--type', 'x', '--backup-storage'], slowly, 100)
    assert.equal(await terminal.ended, 0, terminal.seen)
    const bars = terminal.drawn.filter((line) => line.includes('░') || line.includes('█'))
    assert.ok(bars.length > 3, terminal.seen)
    assert.ok(
      bars.some((line) => /\d+% of 30\.0 MiB {2}[\d.]+ [KM]iB\/s {2}\d+:\d\d left/.test(line)),
      bars.join('\n'),
    )
    for (const bar of bars) assert.ok(bar.length < 100, bar)
    assert.match(terminal.drawn.join('\n'), /Uploaded file: 30\.0 MiB/)
  })

  await t.test('the output of a hook is above the progress bar', async () => {
    const archive = join(folder, 'talking.tar')
    writeFileSync(archive, installable({ hooks: { install: 'echo first line; sleep 1; echo second line; cat' } }))
    const path = join(folder, 'talking', 'package.tar')
    const upload = ['package', 'upload', archive, '--type', 'demo', '--host', 'this-node', '--path', path]
    assert.equal(await new Terminal(upload, env).ended, 0)
    const terminal = new Terminal(['package', 'install', 'talking'], env)
    assert.equal(await terminal.ended, 0, terminal.seen)
    const { drawn } = terminal
    const [first, second] = [drawn.indexOf('first line'), drawn.indexOf('second line')]
    assert.ok(first > 0 && second > first, terminal.seen)
    assert.match(drawn[second + 1] ?? '', /^Installing talking/)
    assert.ok(!drawn.some((line) => /^step /i.test(line)), terminal.seen)
  })

  await t.test('Ctrl-C stops waiting and prints how to continue', async () => {
    const terminal = new Terminal(stall('left'), env)
    await terminal.waitFor(/\[[░█]+\]/)
    terminal.press(ctrlC)
    assert.equal(await terminal.ended, 130, terminal.seen)
    const [, job] = /The job continues: wharf job show ([0-9a-f]{32})/.exec(terminal.seen) ?? []
    const { body } = await fixture.admin.get(`/v1/api-jobs?q=uuid=${job}`)
    assert.equal((body.inventories as { state: string }[])[0]?.state, 'Running')
    await fixture.admin.delete(`/v1/api-jobs/${job}`)
  })

  await t.test('Ctrl-C keeps the sent bytes of an upload, and the same command resumes it', async () => {
    const file = join(folder, 'file')
    const argv = ['package', 'upload', file, '--type', 'x', '--backup-storage', '--path', 'resumed']
    const first = new Terminal(argv, slowly)
    await first.waitFor(/ [3-9]\d% of 30/)
    first.press(ctrlC)
    assert.equal(await first.ended, 130, first.seen)
    assert.match(first.seen, /Stopped\. [\d.]+ MiB are kept for 72 hours; run the same command to resume\./)
    const second = new Terminal(argv, slowly)
    assert.equal(await second.ended, 0, second.seen)
    const [percent] = /\d+(?=% of 30\.0)/.exec(second.seen) ?? ['0']
    assert.ok(Number(percent) >= 20, second.seen)

    const third = new Terminal([...argv.slice(0, -1), 'aborted', '--cancel-on-interrupt'], slowly)
    await third.waitFor(/ [1-9]\d% of 30/)
    third.press(ctrlC)
    assert.equal(await third.ended, 3, third.seen)
    assert.match(third.seen, /upload aborted/)
  })

  await t.test('a second Ctrl-C exits after the first cancels', async () => {
    const slow = fixture.source.serve('slow.tar', installable({ hooks: { install: "trap '' TERM; sleep 3" } }))
    await new Terminal(
      [
        'package',
        'upload',
        slow,
        '--name',
        'slow',
        '--type',
        'demo',
        '--host',
        'this-node',
        '--path',
        join(folder, 'slow.tar'),
      ],
      env,
    ).ended
    const terminal = new Terminal(['package', 'install', 'slow', '--cancel-on-interrupt'], env)
    await terminal.waitFor(/\[[░█]+\]/)
    terminal.press(ctrlC)
    await terminal.waitFor(/Cancelling/)
    terminal.press(ctrlC)
    const code = await terminal.ended
    // the job may end first
    assert.ok(code === 130 || code === 3, `${code}: ${terminal.seen}`)
  })

  await t.test('a table fits the terminal and has colours unless NO_COLOR is set', async () => {
    const coloured = new Terminal(['host', 'list'], env, 70)
    assert.equal(await coloured.ended, 0)
    assert.ok(coloured.seen.includes('\u001b[32mEnabled'), coloured.seen)
    const plain = new Terminal(['host', 'list'], { ...env, NO_COLOR: '1' }, 70)
    assert.equal(await plain.ended, 0)
    assert.ok(!plain.seen.includes('\u001b'))
    for (const line of plain.drawn) assert.ok(line.length <= 70, line)
  })

  await t.test('a password prompt does not echo', async () => {
    const { url, password } = fixture.server.bootstrap
    const terminal = new Terminal(['login', '--url', url, '--account', 'admin'], {
      HOME: folder,
      XDG_CONFIG_HOME: folder,
    })
    await terminal.waitFor(/Password: /)
    terminal.press(`${password}\r`)
    assert.equal(await terminal.ended, 0, terminal.seen)
    assert.ok(!terminal.seen.includes(password))
  })
})
