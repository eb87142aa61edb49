import type { Wharf } from '@wharf/sdk'
import { Cli } from '../cli.ts'
import { type ArgumentSpec, type CommandSpec, type GroupSpec, isGroup, type OptionSpec } from '../command.ts'
import { commandEntries } from '../command-entries.ts'
import { withDeadline } from '../deadline.ts'
import { globalOptions } from '../global-options.ts'
import type { Io } from '../io.ts'
import { kindOf, type NamedKind } from '../names/record-kinds.ts'
import { recordsOf } from '../names/resolve-record.ts'
import { Profiles } from '../settings/profiles.ts'

/** Completion must not delay the user. */
const queryMs = 2000
const maxNames = 200

interface Flag {
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly spec: OptionSpec
}

const flagsOf = (options: Readonly<Record<string, OptionSpec>>): Flag[] =>
  Object.entries({ ...options, ...globalOptions, '-h, --help': { help: '' } }).map(([text, spec]) => ({
    names: text.split(/[ ,]+/).filter((part) => part.startsWith('-')),
    takesValue: /[<[]/.test(text),
    spec,
  }))

/** The completions of the last word. */
export async function completions(words: readonly string[], io: Io): Promise<string[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { level, rest } = await findCommand(before)
  const flags = flagsOf(level === undefined || isGroup(level) ? {} : level.options)
  const last = before.at(-1) ?? ''
  const openOption = typed.startsWith('-')
    ? undefined
    : flags.find(({ names, takesValue }) => takesValue && names.includes(last))
  const candidates = openOption
    ? await valuesOf(openOption.names.includes('--profile') ? 'profiles' : openOption.spec, words, io)
    : typed.startsWith('-')
      ? flags.flatMap(({ names }) => names.filter((name) => name.startsWith('--')))
      : await nextWords(level, positionals(rest, flags), words, io)
  return candidates.filter((candidate) => candidate.startsWith(typed))
}

/** The command that the words select, and the remaining words. */
async function findCommand(
  words: readonly string[],
): Promise<{ level: CommandSpec | GroupSpec | undefined; rest: readonly string[] }> {
  let level: CommandSpec | GroupSpec | undefined
  let rest: readonly string[] = words
  for (const [index, word] of words.entries()) {
    const next: CommandSpec | GroupSpec | undefined =
      level === undefined
        ? await commandEntries.find(({ name }) => name === word)?.load()
        : isGroup(level)
          ? level.commands.find(({ name }) => name === word)
          : undefined
    if (next === undefined) continue
    level = next
    rest = words.slice(index + 1)
  }
  return { level, rest }
}

/** The words without options and their values. */
function positionals(words: readonly string[], flags: readonly Flag[]): string[] {
  const takers = new Set(flags.filter(({ takesValue }) => takesValue).flatMap(({ names }) => names))
  return words.filter((word, index) => !word.startsWith('-') && !takers.has(words[index - 1] ?? ''))
}

async function nextWords(
  level: CommandSpec | GroupSpec | undefined,
  positionalWords: readonly string[],
  words: readonly string[],
  io: Io,
): Promise<string[]> {
  if (level === undefined) return commandEntries.map(({ name }) => name)
  if (isGroup(level)) return level.commands.map(({ name }) => name)
  if (level.name === 'call' && positionalWords.length === 0) return operationNames()
  if ((level.name === 'use' || level.name === 'remove') && Object.keys(level.arguments)[0] === '<name>')
    return valuesOf('profiles', words, io)
  const spec = Object.values(level.arguments)[positionalWords.length]
  return spec === undefined ? [] : valuesOf(spec, words, io)
}

async function operationNames(): Promise<string[]> {
  const { operations } = await import('@wharf/contract')
  return operations.flatMap(({ client }) => (client === null ? [] : [client])).sort()
}

async function valuesOf(spec: ArgumentSpec | 'profiles', words: readonly string[], io: Io): Promise<string[]> {
  if (spec === 'profiles') return new Profiles(io).names
  if (spec.choices) return [...spec.choices]
  return spec.names === undefined ? [] : namesOf(spec.names, words, io)
}

/** Empty if the server is unreachable. */
async function namesOf(kind: NamedKind | 'gatewayVms', words: readonly string[], io: Io): Promise<string[]> {
  const valueAfter = (flag: string): string | undefined => {
    const at = words.indexOf(flag)
    return at < 0 ? undefined : words[at + 1]
  }
  const flags = {
    profile: valueAfter('--profile'),
    url: valueAfter('--url'),
    credentials: valueAfter('--credentials'),
    caFile: valueAfter('--ca-file'),
  }
  try {
    const wharf = await new Cli(io, flags).wharf()
    const names = kind === 'gatewayVms' ? vmNames(wharf) : newestNames(wharf, kind, words.at(-1) ?? '')
    return [...new Set(await withDeadline(names, queryMs))]
  } catch {
    return []
  }
}

/** Filters by prefix on the server, because there may be many records. */
export async function newestNames(wharf: Wharf, kind: NamedKind, typed: string): Promise<string[]> {
  const { field } = kindOf(kind)
  const q = typed === '' ? [] : [`${field}~=${typed.replace(/[\\%_]/g, '\\$&')}%`]
  const records = await recordsOf(wharf, kind, { q, limit: maxNames, sort: '-createDate', fields: [field] })
  return records.map((record) => String(record[field]))
}

const vmNames = async (wharf: Wharf): Promise<string[]> =>
  (await wharf.migration.vmInstances()).gatewayVmInstances.map(({ name }) => name)
