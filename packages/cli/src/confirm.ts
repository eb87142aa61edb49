import type { Cli } from './cli.ts'
import type { OptionSpecs } from './command.ts'
import { CommandError, UsageError } from './errors.ts'

export const yesOption = {
  '-y, --yes': { help: 'skip the confirmation; required when stdin is not a terminal' },
} as const satisfies OptionSpecs

/** Prompts before a record in use is lost. `fact` names what is in use, `loss` what happens to it. */
export async function confirm(
  cli: Cli,
  { fact, loss, yes }: { fact: string; loss: string; yes: boolean | undefined },
): Promise<void> {
  if (yes) return
  const answer = await cli.io.prompt(`${fact}. ${loss}. Continue? [y/N] `)
  if (answer === undefined)
    throw new UsageError(`${fact}; cannot prompt: stdin is not a terminal`, `${loss}; confirm with --yes`)
  if (!isYes(answer)) throw new CommandError('not confirmed; nothing was changed')
}

export const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer.trim())
