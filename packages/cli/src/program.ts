import { Argument, Command, Option } from 'commander'
import type { Cli, GlobalFlags } from './cli.ts'
import { type ArgumentSpec, type CommandSpec, type GroupSpec, isGroup, type OptionSpec } from './command.ts'
import { commandEntries } from './command-entries.ts'
import { exitCodeMeanings, exitCodes } from './exit-codes.ts'
import { globalOptions } from './global-options.ts'
import type { Io } from './io.ts'
import { version } from './version.ts'

type CreateCli = (flags: GlobalFlags, command: string) => Promise<Cli>

/** Loads only the commands that argv may name; the others have only a name and a summary. */
export async function createProgram(argv: readonly string[], io: Io, createCli: CreateCli): Promise<Command> {
  const program = new Command('wharf')
    .description('The command line of Wharf, the management plane of a cloud platform')
    .usage('COMMAND …')
    .helpCommand(false)
    .configureHelp({ helpWidth: helpWidth(io), sortOptions: false })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => helpWidth(io),
      getErrHelpWidth: () => helpWidth(io),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', () => exitCodeHelp)
    // after the examples, which most readers want
    .addHelpText('afterAll', ({ command }) => (command.parent === null ? '' : globalOptionsHelp(command)))
  for (const [flags, spec] of Object.entries(globalOptions)) program.addOption(optionOf(flags, spec))
  program.version(version, '-V, --version')
  const wanted = new Set(argv)
  for (const { name, summary, load } of commandEntries) {
    if (wanted.has(name)) addCommand(program, await load(), createCli)
    else program.command(name).description(summary)
  }
  return program
}

const minWidth = 60
const maxWidth = 100
const helpWidth = ({ stdout }: Io): number => Math.max(minWidth, Math.min(maxWidth, stdout.columns ?? maxWidth))

const exitCodeHelp = `
Run wharf COMMAND --help for examples.

Exit codes:
${Object.entries(exitCodes)
  .map(([name, code]) => `  ${String(code).padStart(3)}  ${exitCodeMeanings[name as keyof typeof exitCodes]}`)
  .join('\n')}`

function globalOptionsHelp(command: Command): string {
  const helper = Object.assign(command.createHelp(), { showGlobalOptions: true })
  const options = helper.visibleGlobalOptions(command)
  const width = Math.max(...options.map((option) => helper.optionTerm(option).length))
  const items = options.map((option) =>
    helper.formatItem(helper.optionTerm(option), width, helper.optionDescription(option), helper),
  )
  return `\nGlobal Options:\n${items.join('\n')}`
}

function addCommand(parent: Command, spec: CommandSpec | GroupSpec, createCli: CreateCli): void {
  if (isGroup(spec)) {
    const group = parent.command(spec.name).description(spec.summary).helpCommand(false).copyInheritedSettings(parent)
    for (const child of spec.commands) addCommand(group, child, createCli)
    return
  }
  const { isDefault = false, summary, more, examples, aliases = [] } = spec
  const command = parent.command(spec.name, { isDefault }).description(more ? `${summary}\n\n${more}` : summary)
  command.summary(summary).aliases(aliases).copyInheritedSettings(parent)
  for (const [term, one] of Object.entries(spec.arguments)) command.addArgument(argumentOf(term, one))
  for (const [flags, one] of Object.entries(spec.options)) command.addOption(optionOf(flags, one))
  const shown = examples.map((example) => `  wharf ${example}`).join('\n')
  command.addHelpText('after', `\nExample${examples.length > 1 ? 's' : ''}:\n${shown}`)
  command.action(async (...parameters: unknown[]) => {
    const flags = command.optsWithGlobals()
    const values = parameters.slice(0, command.registeredArguments.length)
    const named = command.registeredArguments.map((argument, index) => [camel(argument.name()), values[index]])
    await spec.run(await createCli(flags, commandPath(command)), Object.fromEntries(named), command.opts())
  })
}

/** `wharf host disable` */
const commandPath = (command: Command): string =>
  command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`

function argumentOf(term: string, { help, choices }: ArgumentSpec): Argument {
  const argument = new Argument(term, help)
  return choices ? argument.choices(choices) : argument
}

function optionOf(flags: string, { help, required, default: defaultValue, choices, repeated }: OptionSpec): Option {
  const option = new Option(flags, help)
  if (required) option.makeOptionMandatory()
  if (defaultValue !== undefined) option.default(defaultValue)
  if (choices) option.choices(choices)
  if (repeated) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return option
}

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
