import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { diagnose, type Finding } from '../doctor/diagnose.ts'
import { CommandError } from '../errors.ts'

const marks = { ok: 'ok', warning: 'warning', failed: 'FAILED' } as const

export const doctor = command({
  name: 'doctor',
  summary: 'Diagnose connection and credential problems',
  more: 'Checks the settings, the address, the clock, the credential and the versions, and prints remedies.',
  examples: ['doctor', 'doctor --profile prod --json'],
  async run(cli) {
    const findings = await diagnose(cli)
    if (cli.out.isTable) for (const finding of findings) cli.out.raw(`${format(cli, finding)}\n`)
    else cli.out.list(findings, [])
    const failed = findings.filter(({ result }) => result === 'failed')
    if (failed.length > 0) throw new CommandError(`failed checks: ${failed.map(({ check }) => check).join(', ')}`)
  },
})

function format(cli: Cli, { check, result, found, remedy }: Finding): string {
  const { green, yellow, red } = cli.io.stdout.isTTY ? cli.colours : plain
  const paint = { ok: green, warning: yellow, failed: red }[result]
  const advice = remedy === undefined ? '' : `\n${' '.repeat(23)}${remedy}`
  return `${paint(marks[result].padEnd(9))}${check.padEnd(12)}  ${found}${advice}`
}

const unchanged = (text: string): string => text
const plain = { green: unchanged, yellow: unchanged, red: unchanged }
