import type { Wharf } from '@wharf/sdk'
import { Cli } from '../cli.ts'
import { type ArgumentSpec, type CommandSpec, type GroupSpec, isGroup, isNamed, type OptionSpec } from '../command.ts'
import { commandEntries } from '../command-entries.ts'
import { resourceTypes } from '../commands/events/resource-types.ts'
import { withDeadline } from '../deadline.ts'
import { globalOptions } from '../global-options.ts'
import type { Io } from '../io.ts'
import { kindOf, type NamedKind } from '../names/record-kinds.ts'
import { recordsOf } from '../names/resolve-record.ts'
import { printable } from '../output/printable.ts'
import { Profiles } from '../settings/profiles.ts'
import type { Candidate } from './candidate.ts'

/** Completion must not delay the user. */
const queryMs = 2000
const maxNames = 200

interface Flag {
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly spec: OptionSpec
}

/** What is typed so far; the last word is incomplete. */
interface Typed {
  readonly words: readonly string[]
  readonly io: Io
}

const flagsOf = (options: Readonly<Record<string, OptionSpec>>): Flag[] =>
  Object.entries({ ...options, ...globalOptions, '-h, --help': { help: 'display help for command' } }).map(
    ([text, spec]) => ({
      names: text.split(/[ ,]+/).filter((part) => part.startsWith('-')),
      takesValue: /[<[]/.test(text),
      spec,
    }),
  )

/** The completions of the last word. A name with control characters would reach the terminal through the shell. */
export async function completions(words: readonly string[], io: Io): Promise<Candidate[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const [, flag, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? []
  if (flag !== undefined) return prefixed(`${flag}=`, await completions([...before, flag, value], io))
  const { level, rest } = await findCommand(before)
  const flags = flagsOf(level === undefined || isGroup(level) ? {} : level.options)
  const last = before.at(-1) ?? ''
  const openOption = typed.startsWith('-')
    ? undefined
    : flags.find(({ names, takesValue }) => takesValue && names.includes(last))
  const context = { words, io }
  const candidates = openOption
    ? await valuesOf(openOption.spec, context)
    : typed.startsWith('-')
      ? flags.flatMap(({ names, spec }) =>
          names.filter((name) => name.startsWith('--')).map((word) => ({ word, description: spec.help })),
        )
      : await nextWords(level, positionals(rest, flags), context)
  return candidates.filter(({ word }) => word.startsWith(typed) && printable(word) === word)
}

const prefixed = (prefix: string, candidates: readonly Candidate[]): Candidate[] =>
  candidates.map((candidate) => ({ ...candidate, word: prefix + candidate.word }))

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
          ? level.commands.find((one) => isNamed(one, word))
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

const described = ({ name, summary }: { name: string; summary: string }): Candidate => ({
  word: name,
  description: summary,
})

async function nextWords(
  level: CommandSpec | GroupSpec | undefined,
  given: readonly string[],
  typed: Typed,
): Promise<Candidate[]> {
  if (level === undefined) return commandEntries.map(described)
  if (isGroup(level)) return level.commands.map(described)
  if (level.name === 'call') {
    const { fieldCandidates, operationCandidates } = await import('./call-candidates.ts')
    return given[0] === undefined ? operationCandidates() : fieldCandidates(given[0], given.slice(1))
  }
  if (level.name === 'open' && given[0] !== undefined) {
    const { recordPages } = await import('../commands/open.ts')
    const names = recordPages[given[0]]?.kind
    return names === undefined || given.length > 1 ? [] : valuesOf({ help: '', names }, typed)
  }
  const spec = argumentAt(level, given.length)
  const candidates = spec === undefined ? [] : await valuesOf(spec, typed)
  // a repeated argument takes each name once
  return candidates.filter(({ word }) => !given.includes(word))
}

/** A repeated argument takes all further words. */
function argumentAt({ arguments: specs }: CommandSpec, index: number): ArgumentSpec | undefined {
  const [lastTerm = '', last] = Object.entries(specs).at(-1) ?? []
  return Object.values(specs)[index] ?? (lastTerm.includes('...') ? last : undefined)
}

async function valuesOf({ choices, suggestions, names }: ArgumentSpec, typed: Typed): Promise<Candidate[]> {
  const fixed = choices ?? suggestions ?? (names === 'profiles' ? new Profiles(typed.io).names : undefined)
  if (fixed !== undefined) return fixed.map((word) => ({ word }))
  if (names === 'resourceTypes') return (await resourceTypes()).map((word) => ({ word }))
  return names === undefined || names === 'profiles' ? [] : namesOf(names, typed)
}

/** Empty if the server is unreachable. */
async function namesOf(kind: NamedKind | 'gatewayVms' | 'releaseSources', typed: Typed): Promise<Candidate[]> {
  const { words, io } = typed
  const last = words.at(-1) ?? ''
  if (kind === 'releaseSources') return last.startsWith('release') ? releaseSources(typed) : []
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
    const names = kind === 'gatewayVms' ? vmNames(wharf) : newestNames(wharf, kind, last)
    const found = (await withDeadline(names, queryMs)) ?? []
    return [...new Map(found.map((candidate) => [candidate.word, candidate])).values()]
  } catch {
    return []
  }
}

const releaseScheme = 'release://'

/** Only from `release` on: other sources are files, which the shell completes. */
async function releaseSources({ words, io }: Typed): Promise<Candidate[]> {
  const last = words.at(-1) ?? ''
  const reference = last.startsWith(releaseScheme) ? last.slice(releaseScheme.length) : ''
  const releases = await namesOf('releases', { words: [...words.slice(0, -1), reference], io })
  return prefixed(releaseScheme, releases)
}

const startsWith = (field: string, text: string): string[] =>
  text === '' ? [] : [`${field}~=${text.replace(/[\\%_]/g, '\\$&')}%`]

/** NAME@VERSION, because most commands need the version. */
async function newestReleases(wharf: Wharf, typed: string): Promise<Candidate[]> {
  const at = typed.lastIndexOf('@')
  const q =
    at > 0 ? [`name=${typed.slice(0, at)}`, ...startsWith('version', typed.slice(at + 1))] : startsWith('name', typed)
  const fields = ['name', 'version', 'state']
  const releases = await recordsOf(wharf, 'releases', { q, limit: maxNames, sort: '-createDate', fields })
  return releases.map(({ name, version, state }) => ({ word: `${name}@${version}`, description: String(state) }))
}

/** Filters by prefix on the server, because there may be many records. */
export async function newestNames(wharf: Wharf, kind: NamedKind, typed: string): Promise<Candidate[]> {
  if (kind === 'releases') return newestReleases(wharf, typed)
  const { field, distinction } = kindOf(kind)
  const q = startsWith(field, typed)
  const fields = [field, ...distinction]
  const records = await recordsOf(wharf, kind, { q, limit: maxNames, sort: '-createDate', fields })
  return records.map((record) => ({
    word: String(record[field]),
    description: distinction.flatMap((name) => (record[name] ? [String(record[name])] : [])).join(', '),
  }))
}

const vmNames = async (wharf: Wharf): Promise<Candidate[]> =>
  (await wharf.migration.vmInstances()).gatewayVmInstances.map(({ name, state }) => ({
    word: name,
    description: state,
  }))
