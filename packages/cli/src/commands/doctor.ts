import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { checkUp, type Finding } from '../doctor/check-up.ts'
import { Refusal } from '../refusals.ts'

const marks = { ok: 'ok', warning: 'look', failed: 'FAILED' } as const

export const doctor = command({
  name: 'doctor',
  summary: 'Find out why something does not work',
  more: 'Looks at the settings, the address, the clock, the credential and the versions, and says what to do.',
  examples: ['doctor', 'doctor --profile prod --json'],
  async run(cli) {
    const findings = await checkUp(cli)
    if (cli.out.form === 'table') for (const finding of findings) cli.out.raw(`${described(cli, finding)}\n`)
    else cli.out.list(findings, [])
    const failed = findings.filter(({ result }) => result === 'failed')
    if (failed.length > 0) throw new Refusal(`${failed.map(({ check }) => check).join(' and ')} must be mended`)
  },
})

function described(cli: Cli, { check, result, found, remedy }: Finding): string {
  const { green, yellow, red } = cli.io.stdout.isTTY ? cli.colours : plain
  const paint = { ok: green, warning: yellow, failed: red }[result]
  const advice = remedy === undefined ? '' : `\n${' '.repeat(22)}${remedy}`
  return `${paint(marks[result].padEnd(8))}${check.padEnd(12)}  ${found}${advice}`
}

const same = (text: string): string => text
const plain = { green: same, yellow: same, red: same }
