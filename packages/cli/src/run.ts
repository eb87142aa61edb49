import { CommanderError } from 'commander'
import { Cli, type GlobalFlags } from './cli.ts'
import { commandEntries } from './command-entries.ts'
import { UsageError } from './errors.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { formatError } from './format-error.ts'
import type { Io } from './io.ts'
import { loadFormat } from './output/format.ts'
import { printable } from './output/printable.ts'
import { createProgram } from './program.ts'

/** Runs a command; returns its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let command = 'wharf'
  try {
    if (argv[0] === '__complete' || argv[0] === '__describe') return await complete(argv, io)
    if (argv[0] === 'help') return await run(helpArguments(argv.slice(1)), io)
    const program = await createProgram(argv, io, async (flags, path) => {
      command = path
      return new Cli(io, flags, await loadFormat(formOf(flags)))
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

function formOf({ output, json }: GlobalFlags): string {
  if (json && output !== undefined && output !== 'json')
    throw new UsageError(`--json and -o ${output} contradict each other`)
  return json ? 'json' : (output ?? 'table')
}

/** An unknown command is passed on, so that commander reports it. */
function helpArguments(words: readonly string[]): readonly string[] {
  const [first] = words
  return first === undefined || commandEntries.some(({ name }) => name === first)
    ? [...words, '--help']
    : words.slice(0, 1)
}

/** `__describe` prints a tab and a description after each candidate. */
async function complete([command, ...words]: readonly string[], io: Io): Promise<number> {
  const { completions } = await import('./completion/complete.ts')
  for (const { word, description = '' } of await completions(words, io))
    io.stdout.write(
      command === '__describe' && description !== '' ? `${word}\t${printable(description)}\n` : `${word}\n`,
    )
  return exitCodes.ok
}
