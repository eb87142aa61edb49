import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '@wharf/testkit'
import { run } from './run.ts'
import { CapturedIo, environmentOf, runCaptured } from './testing/captured-io.ts'

test('lists', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  const wharf = (...argv: string[]) => runCaptured(argv, { env })
  assert.equal((await wharf('tag', 'create', 'blue', '--color', '#2563eb')).code, 0)

  for (const [name, argv, expected] of [
    ['chosen columns', ['tag', 'list', '--columns', 'color,name'], 'COLOR    NAME\n#2563eb  blue\n'],
    [
      'columns with names of other records',
      ['key', 'list', '--columns', 'user, account'],
      'USER   ACCOUNT\nadmin  admin\n',
    ],
    ['names', ['tag', 'list', '-o', 'name'], 'blue\n'],
    ['a selection', ['tag', 'list', '-o', 'jsonpath={.items[0].color}'], '#2563eb\n'],
    [
      'names in place of uuids',
      ['user', 'list', '--columns', 'name,account,role'],
      'NAME   ACCOUNT  ROLE\nadmin  admin    admin\n',
    ],
  ] as const)
    await t.test(`prints ${name}`, async () => assert.equal((await wharf(...argv)).stdout, expected))

  await t.test('-o wide has more columns', async () => {
    const [titles = ''] = (await wharf('host', 'list', '-o', 'wide')).stdout.split('\n')
    assert.match(titles, /UUID +LABELS +ARCHITECTURE +TOTAL CAPACITY/)
  })

  await t.test('an unknown column is rejected with those that exist', async () => {
    const { code, stderr } = await wharf('tag', 'list', '--columns', 'name,size')
    assert.equal(code, 2)
    assert.match(stderr, /no column size\n {2}available columns: color, createDate, lastOpDate, name, uuid\n/)
    assert.match((await wharf('tag', 'list', '--columns', 'name', '--json')).stderr, /--columns applies to tables/)
    assert.match((await wharf('tag', 'list', '--columns', 'name,')).stderr, /invalid --columns name,/)
  })

  /** Runs a command until Ctrl-C; `changes` wait for its output. */
  const watch = async (
    argv: readonly string[],
    columns: number | undefined,
    changes: (io: CapturedIo) => Promise<void>,
  ) => {
    const io = new CapturedIo({ env: { ...env, NO_COLOR: '1' }, ...(columns === undefined ? {} : { columns }) })
    const ended = run([...argv, '--watch'], io)
    await changes(io)
    io.interrupt()
    assert.equal(await ended, 130, io.stderrText)
    return io.stdoutText
  }
  const until = async (io: CapturedIo, pattern: RegExp): Promise<void> => {
    for (const end = performance.now() + 10_000; !pattern.test(io.stdoutText); await delay(20))
      if (performance.now() > end) throw new Error(`no ${pattern} in ${JSON.stringify(io.stdoutText + io.stderrText)}`)
  }

  await t.test('--watch prints a line per change', async () => {
    const lines = await watch(['tag', 'list', '--columns', 'name,color'], undefined, async (io) => {
      await until(io, /blue/)
      await wharf('tag', 'create', 'red')
      await until(io, /red/)
      await wharf('tag', 'delete', 'red')
      await until(io, /Deleted/)
    })
    assert.equal(lines, 'Added    blue  #2563eb\nAdded    red   -\nDeleted  red   -\n')
  })

  await t.test('--watch with JSON prints an object per change', async () => {
    const lines = await watch(['tag', 'list', '--json'], undefined, async (io) => {
      await until(io, /blue/)
      await wharf('tag', 'create', 'red')
      await until(io, /red/)
      await wharf('tag', 'delete', 'red')
      await until(io, /Deleted/)
    })
    assert.deepEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ event, record }) => [event, record.name]),
      [
        ['Added', 'blue'],
        ['Added', 'red'],
        ['Deleted', 'red'],
      ],
    )
  })

  await t.test('--watch replaces the table on a terminal', async () => {
    const text = await watch(['tag', 'list', '--columns', 'name'], 80, async (io) => {
      await until(io, /blue/)
      await wharf('tag', 'create', 'red')
      await until(io, /red/)
    })
    assert.equal(text, 'NAME\nblue\n\u001b[2A\r\u001b[JNAME\nblue\nred\n')
  })
})
