import type { Cli } from './cli.ts'
import type { OptionSpecs } from './command.ts'
import { CommandError, UsageError } from './errors.ts'

export const passwordOption = {
  '--password-stdin': { help: 'read the password from stdin instead of prompting' },
} as const satisfies OptionSpecs

/** Prompts twice for a new password, or reads it from stdin. */
export async function readNewPassword(cli: Cli, fromInput: boolean | undefined): Promise<string> {
  if (fromInput) return required((await cli.io.readInput()).replace(/\r?\n$/, ''))
  const password = await promptHidden(cli, 'New password: ')
  const repeated = await promptHidden(cli, 'Repeat the new password: ')
  if (password !== repeated) throw new CommandError('the passwords differ; nothing was changed')
  return password
}

export async function promptHidden(
  cli: Cli,
  question: string,
  withoutTerminal = 'pass the password with --password-stdin',
): Promise<string> {
  const answer = await cli.io.prompt(question, { hidden: true })
  if (answer === undefined) throw new UsageError('cannot prompt: stdin is not a terminal', withoutTerminal)
  return required(answer)
}

function required(password: string): string {
  if (password === '') throw new CommandError('the password is empty')
  return password
}
