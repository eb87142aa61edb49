import type { Cli } from './cli.ts'
import type { OptionSpecs } from './command.ts'
import { Refusal, UsageError } from './refusals.ts'

export const yesOption = {
  '-y, --yes': { help: 'do not ask for confirmation; required when stdin is not a terminal' },
} as const satisfies OptionSpecs

/** Before something in use is lost. `fact` says what is in use, `loss` what happens to it. */
export async function confirm(
  cli: Cli,
  { fact, loss, yes }: { fact: string; loss: string; yes: boolean | undefined },
): Promise<void> {
  if (yes) return
  const answer = await cli.io.ask(`${fact}. ${loss}. Go ahead? [y/N] `)
  if (answer === undefined)
    throw new UsageError(`${fact}: --yes is required, since stdin is not a terminal`, `nothing was changed. ${loss}.`)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('not confirmed: nothing was changed')
}
