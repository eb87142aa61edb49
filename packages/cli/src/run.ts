import { CommanderError } from 'commander'
import { Cli } from './cli.ts'
import { commandEntries } from './command-entries.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { formatError } from './format-error.ts'
import type { Io } from './io.ts'
import { createProgram } from './program.ts'

/** Runs a command; returns its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let command = 'wharf'
  try {
    if (argv[0] === '__complete') return await complete(argv.slice(1), io)
    if (argv[0] === 'help') return await run(helpArguments(argv.slice(1)), io)
    const program = await createProgram(argv, io, (flags, path) => {
      command = path
      return new Cli(io, flags)
    })
    if (argv.length === 0) {
      program.outputHelp()
      return exitCodes.ok
    }
    await program.parseAsync(argv, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    // commander has already printed the error
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const text = await formatError(error, { io, command })
    if (text !== '') io.stderr.write(`${text}\n`)
    return exitCodeOf(error)
  }
}

/** An unknown command is passed on, so that commander reports it. */
function helpArguments(words: readonly string[]): readonly string[] {
  const [first] = words
  return first === undefined || commandEntries.some(({ name }) => name === first)
    ? [...words, '--help']
    : words.slice(0, 1)
}

async function complete(words: readonly string[], io: Io): Promise<number> {
  const { completions } = await import('./completion/complete.ts')
  for (const candidate of await completions(words, io)) io.stdout.write(`${candidate}\n`)
  return exitCodes.ok
}
