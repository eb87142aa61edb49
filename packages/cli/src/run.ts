import { CommanderError } from 'commander'
import { Cli } from './cli.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { failureText } from './failure.ts'
import { entries } from './groups.ts'
import type { Io } from './io.ts'
import { programFor } from './program.ts'

/** The command with these words, to its end; its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let command = 'wharf'
  try {
    if (argv[0] === '__complete') return await complete(argv.slice(1), io)
    if (argv[0] === 'help') return await run(helpAbout(argv.slice(1)), io)
    const program = await programFor(argv, io, (flags, words) => {
      command = words
      return new Cli(io, flags)
    })
    if (argv.length === 0) {
      program.outputHelp()
      return exitCodes.ok
    }
    await program.parseAsync(argv, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    // commander has said what there is to say
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const text = await failureText(error, { io, command })
    if (text !== '') io.stderr.write(`${text}\n`)
    return exitCodeOf(error)
  }
}

/** A word that is no command is left as it is, and told so. */
function helpAbout(words: readonly string[]): readonly string[] {
  const [first] = words
  return first === undefined || entries.some(({ name }) => name === first) ? [...words, '--help'] : words.slice(0, 1)
}

async function complete(words: readonly string[], io: Io): Promise<number> {
  const { completions } = await import('./completion/complete.ts')
  for (const candidate of await completions(words, io)) io.stdout.write(`${candidate}\n`)
  return exitCodes.ok
}
