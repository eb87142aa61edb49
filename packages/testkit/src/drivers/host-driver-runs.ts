import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunOptions } from '@wharf/server/resources/hosts/driver.ts'
import { hostileWords } from '../hostile-words.ts'
import type { DriverUnderTest } from './driver-under-test.ts'

type Argv = readonly [string, ...string[]]

/** A command that no other test runs at the same time. */
let sleeps = 0
const newSleep = (): string => `sleep 300.${process.pid}${String(++sleeps).padStart(3, '0')}`

/** Prints the arguments as lines of hexadecimal numbers, each argument with a zero at its end. */
const printWords = 'for word; do printf "%s\\0" "$word"; done | od -An -v -tx1'
const wordsIn = (lines: readonly string[]): string[] =>
  Buffer.from(lines.join('').replaceAll(' ', ''), 'hex').toString().split('\0').slice(0, -1)

export function describeDriverRuns(current: () => DriverUnderTest): void {
  const run = async (argv: Argv, options: Partial<RunOptions> = {}) => {
    const stdout: string[] = []
    const stderr: string[] = []
    const { exitCode } = await current().driver.run(argv, {
      signal: new AbortController().signal,
      onLine: (line, stream) => (stream === 'stdout' ? stdout : stderr).push(line),
      ...options,
    })
    return { exitCode, stdout, stderr }
  }
  const sh = (script: string, options: Partial<RunOptions> = {}) => run(['sh', '-c', script], options)
  /** The processes on the host that are exactly this command, the dead ones left out. */
  const processesOf = async (command: string): Promise<string[]> => {
    const list = `ps -e -o pid= -o stat= -o args= | awk '$2 !~ /^Z/ { pid = $1; $1 = $2 = ""; print pid $0 }'`
    const all = (await current().exec(list)).split('\n').map((line) => /^(\d+)\s+(.*)$/.exec(line))
    return all.flatMap((match) => (match?.[2] === command ? [match[1] ?? ''] : []))
  }
  const waitUntilGone = async (command: string, limitMs: number): Promise<void> => {
    for (const began = performance.now(); (await processesOf(command)).length > 0; await delay(50))
      assert.ok(performance.now() - began < limitMs, `${command} still runs`)
  }
  /** Runs it until its first line, then aborts; how long the answer took from then on. */
  const abortAfterFirstLine = async (script: string): Promise<number> => {
    const stop = new AbortController()
    const reason = new Error('enough')
    let abortedAt = 0
    const onLine = (): void => {
      abortedAt = performance.now()
      stop.abort(reason)
    }
    await assert.rejects(sh(script, { signal: stop.signal, onLine }), (error) => error === reason)
    return performance.now() - abortedAt
  }

  describe('run', () => {
    for (const [script, expected] of Object.entries({
      true: 0,
      'exit 7': 7,
      'exit 255': 255,
      'kill -9 $$': 137,
      'exec nothing-of-this-name': 127,
    })) {
      test(`returns the exit code of ${script}`, async () => {
        assert.equal((await sh(script)).exitCode, expected)
      })
    }

    test('reports a missing program by its exit code', async () => {
      const { exitCode, stderr } = await run(['nothing-of-this-name'])
      assert.equal(exitCode, 127)
      assert.match(stderr.join('\n'), /nothing-of-this-name/)
    })

    test('returns every line of both streams, also empty ones and an unterminated one', async () => {
      const { stdout, stderr } = await sh('printf "\\n\\na\\n\\nb\\n\\n"; printf "c\\r\\nd" >&2')
      assert.deepEqual(stdout, ['', '', 'a', '', 'b', ''])
      assert.deepEqual(stderr, ['c', 'd'])
    })

    test('passes each line on immediately', async () => {
      const seen: number[] = []
      await sh('echo first; sleep 0.5; echo second', { onLine: () => void seen.push(performance.now()) })
      assert.equal(seen.length, 2)
      assert.ok((seen[1] ?? 0) - (seen[0] ?? 0) > 300)
    })

    test('replaces bytes that are not text, and truncates a line that is too long', async () => {
      const { stdout } = await sh('printf "\\377\\376ok\\n"; head -c 100000 /dev/zero | tr "\\000" x; echo; echo after')
      assert.equal(stdout[0], '\ufffd\ufffdok')
      assert.equal(stdout[1], 'x'.repeat(8192))
      assert.equal(stdout[2], 'after')
    })

    for (const [what, input] of Object.entries({
      nothing: '',
      'one line': 'one',
      'many lines': '\n\na\nb\n\n',
      'hostile words': hostileWords.join('\n'),
      'a quarter of a mebibyte': 'wharf 中文\n'.repeat(20_000),
    })) {
      test(`passes ${what} on standard input, exactly`, async () => {
        const { stdout } = await sh('md5sum | cut -c 1-32', { input })
        assert.equal(stdout[0], createHash('md5').update(input).digest('hex'))
      })
    }

    test('does not wait for a program that leaves its input unread', async () => {
      assert.equal((await sh('exit 3', { input: 'x'.repeat(300_000) })).exitCode, 3)
    })

    test('passes every hostile argument exactly', async () => {
      assert.ok(hostileWords.length >= 100)
      const { stdout } = await run(['sh', '-c', printWords, 'sh', ...hostileWords])
      assert.deepEqual(wordsIn(stdout), hostileWords)
      await current().exec('test ! -e /tmp/wharf-hostile')
    })

    test('interprets no argument as an option or a variable, not even the name of the program', async () => {
      for (const name of ['-n', '--help', 'A=b', './A=b', '$(id)', "it's"]) {
        const { exitCode } = await run([name, 'sh', '-c', 'exit 0'])
        assert.ok(exitCode === 127 || exitCode === 126, `${name}: ${exitCode}`)
      }
    })

    test('passes this environment and nothing else', async () => {
      const value = hostileWords.filter((word) => word.length < 100).join(' ')
      const printNames = "env -0 | tr '\\n\\000' ' \\n' | cut -d = -f 1"
      const { stdout } = await sh(`${printNames}; set -- "$ODD"; ${printWords}`, {
        environment: { ODD: value, WHARF_JOB_UUID: '1' },
      })
      const shellOwn = ['PWD', 'SHLVL', 'OLDPWD', '_']
      const isNumbers = (line: string): boolean => line.startsWith(' ')
      const names = stdout.filter((line) => !isNumbers(line) && !shellOwn.includes(line))
      assert.deepEqual(names.sort(), ['HOME', 'LANG', 'ODD', 'PATH', 'WHARF_JOB_UUID'])
      assert.deepEqual(wordsIn(stdout.filter(isNumbers)), [value])
    })

    test('runs in the requested folder, and reports a missing one', async () => {
      const { folder, exec } = current()
      const odd = `${folder}/-x '$(id)' 中`
      await exec(`mkdir -p "${folder}/-x '\\$(id)' 中"`)
      assert.deepEqual((await run(['pwd'], { folder: odd })).stdout, [odd])
      await assert.rejects(run(['pwd'], { folder: `${folder}/none` }), { code: 'SYS.1016', message: /none/ })
    })

    test('does not wait for a daemon that the program leaves behind', async () => {
      const [began, sleep] = [performance.now(), newSleep()]
      // a daemon is one once it leads a session of its own
      const program = `setsid ${sleep} & until [ "$(ps -o sid= -p $! | tr -d ' ')" = $! ]; do :; done; echo started`
      assert.equal((await sh(program)).exitCode, 0)
      assert.ok(performance.now() - began < 5000)
      const [daemon, ...others] = await processesOf(sleep)
      assert.deepEqual(others, [])
      await current().exec(`kill ${daemon}`)
    })

    test('keeps concurrent programs apart', async () => {
      const codes = await Promise.all(Array.from({ length: 12 }, (_, code) => sh(`sleep 0.2; exit ${code}`)))
      assert.deepEqual(
        codes.map(({ exitCode }) => exitCode),
        Array.from({ length: 12 }, (_, code) => code),
      )
    })

    test('rejects with the error of its listener, and stops the program', async () => {
      const failure = new Error('cannot write it down')
      const onLine = (): never => {
        throw failure
      }
      const sleep = newSleep()
      await assert.rejects(sh(`echo one; exec ${sleep}`, { onLine }), (error) => error === failure)
      await waitUntilGone(sleep, 3000)
    })
  })

  describe('abort of a run', () => {
    test('ends the program and all that it started', async () => {
      const sleep = newSleep()
      await abortAfterFirstLine(`${sleep} & (${sleep}; true) & echo ready; ${sleep}`)
      await waitUntilGone(sleep, 500)
    })

    test('ends a program that ignores SIGTERM within three seconds', async () => {
      const sleep = newSleep()
      const stubborn = `trap '' TERM; ${sleep} & echo ready; while :; do ${sleep}; done`
      assert.ok((await abortAfterFirstLine(stubborn)) < 3500)
      await waitUntilGone(sleep, 500)
    })

    test('ends children that ignore SIGTERM after their parent has ended', async () => {
      const sleep = newSleep()
      await abortAfterFirstLine(`(trap '' TERM; ${sleep}; ${sleep}) & echo ready; exec ${sleep}`)
      await waitUntilGone(sleep, 500)
    })

    test('starts nothing when it precedes the run', async () => {
      const { folder, exec } = current()
      const reason = new Error('never')
      await assert.rejects(sh(`touch ${folder}/started`, { signal: AbortSignal.abort(reason) }), (e) => e === reason)
      await exec(`test ! -e ${folder}/started`)
    })

    test('leaves no process, at whatever moment it happens', async () => {
      const sleep = newSleep()
      for (const ms of [0, 1, 3, 5, 8, 12, 17, 23, 30, 40]) {
        const reason = new Error(`after ${ms} ms`)
        const stop = new AbortController()
        setTimeout(() => stop.abort(reason), ms)
        await assert.rejects(run(['sh', '-c', `exec ${sleep}`], { signal: stop.signal }), (error) => error === reason)
      }
      await waitUntilGone(sleep, 3000)
    })
  })
}
