import { Argument, Command, Option } from 'commander'
import type { Cli, GlobalFlags } from './cli.ts'
import { type ArgumentSpec, type CommandSpec, type GroupSpec, isGroup, type OptionSpec } from './command.ts'
import { exitCodeMeanings, exitCodes } from './exit-codes.ts'
import { entries } from './groups.ts'
import type { Io } from './io.ts'
import { forms } from './output/output.ts'
import { version } from './version.ts'

type Open = (flags: GlobalFlags, words: string) => Cli

/** The commands that the words may mean, ready to be parsed; the others are there by name. */
export async function programFor(argv: readonly string[], io: Io, open: Open): Promise<Command> {
  const program = new Command('wharf')
    .description('The command of Wharf, the management plane of a cloud platform')
    .usage('COMMAND …')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, helpWidth: helpWidth(io), sortOptions: false })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => helpWidth(io),
      getErrHelpWidth: () => helpWidth(io),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addOption(new Option('-o, --output <form>', 'how data is written').choices(forms))
    .option('--json', 'the same as -o json')
    .option('--profile <name>', 'the server and credential to use (WHARF_PROFILE)')
    .option('--url <address>', 'the server (WHARF_URL)')
    .option('--credentials <file>', 'JSON of an access key: a bootstrap.json, or what key create --json prints')
    .option('--ca-file <file>', 'PEM certificates of authorities to trust as well; login stores it in the profile')
    .option('--insecure', 'accept any certificate of the server; never stored')
    .option('-q, --quiet', 'say nothing beside the data and errors')
    .version(version, '-V, --version')
    .addHelpText('after', () => ending)
  const wanted = new Set(argv)
  for (const { name, summary, load } of entries) {
    if (wanted.has(name)) add(program, await load(), open)
    else program.command(name).description(summary)
  }
  return program
}

const narrowest = 60
const usual = 100
const helpWidth = ({ stdout }: Io): number => Math.max(narrowest, Math.min(usual, stdout.columns ?? usual))

const ending = `
Every command has --help, with examples. It ends with the exit code
${Object.entries(exitCodes)
  .map(([name, code]) => `  ${String(code).padStart(3)}  ${exitCodeMeanings[name as keyof typeof exitCodes]}`)
  .join('\n')}`

function add(parent: Command, spec: CommandSpec | GroupSpec, open: Open): void {
  if (isGroup(spec)) {
    const group = parent.command(spec.name).description(spec.summary).helpCommand(false).copyInheritedSettings(parent)
    for (const one of spec.commands) add(group, one, open)
    return
  }
  const { isDefault = false, summary, more, examples } = spec
  const command = parent.command(spec.name, { isDefault }).description(more ? `${summary}\n\n${more}` : summary)
  command.summary(summary).copyInheritedSettings(parent)
  for (const [term, one] of Object.entries(spec.arguments)) command.addArgument(argumentOf(term, one))
  for (const [flags, one] of Object.entries(spec.options)) command.addOption(optionOf(flags, one))
  const shown = examples.map((example) => `  wharf ${example}`).join('\n')
  command.addHelpText('after', `\nExample${examples.length > 1 ? 's' : ''}:\n${shown}`)
  command.action(async (...given: unknown[]) => {
    const flags = command.optsWithGlobals()
    const values = given.slice(0, command.registeredArguments.length)
    const named = command.registeredArguments.map((argument, index) => [camel(argument.name()), values[index]])
    await spec.run(open(flags, wordsOf(command)), Object.fromEntries(named), command.opts())
  })
}

/** `wharf host disable` */
const wordsOf = (command: Command): string =>
  command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`

function argumentOf(term: string, { help, choices }: ArgumentSpec): Argument {
  const argument = new Argument(term, help)
  return choices ? argument.choices(choices) : argument
}

function optionOf(flags: string, { help, required, default: standard, choices, repeated }: OptionSpec): Option {
  const option = new Option(flags, help)
  if (required) option.makeOptionMandatory()
  if (standard !== undefined) option.default(standard)
  if (choices) option.choices(choices)
  if (repeated) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return option
}

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
