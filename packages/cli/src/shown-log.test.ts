import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Cli } from './cli.ts'
import { shownLog } from './shown-log.ts'
import { stepTitles } from './step-titles.ts'
import { CapturedIo } from './testing/captured-io.ts'

const log = [
  'step copy',
  'step run',
  '\u001b[32mworking\u001b[0m',
  'step counter is 3',
  'failed: SoftwarePackage.1101 the installer failed',
  'its last line',
  'undo run',
  'removing what was written',
]

const { titledLine } = await stepTitles('InstallSoftwarePackage')

for (const [what, columns, flags, expected] of [
  ['the output of hooks on a terminal', 80, { runsHooks: true }, [2, 3, 7]],
  ['everything with --log', 80, { runsHooks: true, log: true }, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['everything with --log elsewhere', undefined, { log: true }, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['nothing with --no-log', 80, { runsHooks: true, log: false }, []],
  ['nothing in a pipe', undefined, { runsHooks: true }, []],
  ['nothing of a job without hooks', 80, {}, []],
] as const)
  for (const timestamps of [false, true])
    test(`prints ${what}${timestamps ? ', with times' : ''}`, () => {
      const printed: string[] = []
      const cli = new Cli(new CapturedIo({ env: { NO_COLOR: '1' }, ...(columns === undefined ? {} : { columns }) }), {})
      const { onLog } = shownLog(cli, (line) => printed.push(line), { ...flags, timestamps, titledLine })
      const time = timestamps ? '2026-11-05T01:02:03.456Z ' : ''
      for (const line of log) onLog?.(time + line)
      const titles: Record<string, string> = {
        'step copy': 'Step: Copy the package to the host',
        'step run': 'Step: Run the install hook',
        'undo run': 'Undo: Run the install hook',
      }
      const plain = log.map((line) => time + (titles[line] ?? line.replaceAll(/\u001b\[\d+m/g, '')))
      assert.deepEqual(
        printed,
        expected.map((index) => plain[index]),
      )
    })
