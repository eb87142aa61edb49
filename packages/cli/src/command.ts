import type { Cli } from './cli.ts'
import type { NamedKind } from './names/record-kinds.ts'

interface Description {
  readonly help: string
  /** The kind of record whose names complete this value. */
  readonly names?: NamedKind | 'gatewayVms' | 'profiles' | 'releaseSources' | 'resourceTypes'
  readonly choices?: readonly string[]
  /** Values for the completion; others are accepted too. */
  readonly suggestions?: readonly string[]
}

export interface ArgumentSpec extends Description {}

export interface OptionSpec extends Description {
  readonly required?: true
  readonly default?: string
  /** Repeatable. */
  readonly repeated?: true
}

/** `'--backup-storage [name]'` → `'backup-storage'` */
type LongName<F> = F extends `${string}--${infer Rest}` ? (Rest extends `${infer Name} ${string}` ? Name : Rest) : never
type Camel<S> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S
type OptionKey<F> = LongName<F> extends `no-${infer Name}` ? Camel<Name> : Camel<LongName<F>>

type SingleValue<F> = F extends `${string}<${string}>`
  ? string
  : F extends `${string}[${string}]`
    ? string | true
    : boolean
type OptionValue<F, S> = S extends { repeated: true } ? string[] : SingleValue<F>

type IsAlwaysSet<S> = S extends { required: true } | { default: string } ? true : false

export type OptionsOf<O> = {
  readonly [F in keyof O as IsAlwaysSet<O[F]> extends true ? OptionKey<F> : never]: OptionValue<F, O[F]>
} & { readonly [F in keyof O as IsAlwaysSet<O[F]> extends true ? never : OptionKey<F>]?: OptionValue<F, O[F]> }

type ArgumentKey<F> = F extends `${'<' | '['}${infer Name}...${'>' | ']'}`
  ? Camel<Name>
  : F extends `${'<' | '['}${infer Name}${'>' | ']'}`
    ? Camel<Name>
    : never
type ArgumentValue<F> = F extends `${string}...${string}` ? readonly string[] : string

export type ArgumentsOf<A> = {
  readonly [F in keyof A as F extends `<${string}` ? ArgumentKey<F> : never]: ArgumentValue<F>
} & { readonly [F in keyof A as F extends `[${string}` ? ArgumentKey<F> : never]?: ArgumentValue<F> }

interface CommandDeclaration<A, O> {
  readonly name: string
  /** Other spellings of the name. */
  readonly aliases?: readonly string[]
  readonly summary: string
  /** In order: `<required>`, `[optional]`, `<repeated...>`. */
  readonly arguments?: A
  readonly options?: O
  /** Without the leading `wharf`. */
  readonly examples: readonly [string, ...string[]]
  /** Printed below the summary. */
  readonly more?: string
  run(cli: Cli, values: ArgumentsOf<A>, options: OptionsOf<O>): Promise<void>
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>
export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** A command with untyped arguments, for the program and the completion. */
export interface CommandSpec {
  readonly name: string
  readonly aliases?: readonly string[] | undefined
  readonly summary: string
  readonly arguments: ArgumentSpecs
  readonly options: OptionSpecs
  readonly examples: readonly string[]
  readonly more?: string | undefined
  readonly isDefault?: boolean
  run(cli: Cli, values: Record<string, unknown>, options: Record<string, unknown>): Promise<void>
}

export interface GroupSpec {
  readonly name: string
  readonly summary: string
  readonly commands: readonly (CommandSpec | GroupSpec)[]
}

/** Declares a command; `run` receives typed arguments and options. */
export function command<
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(declaration: CommandDeclaration<A, O>): CommandSpec {
  const { arguments: values = {}, options = {}, run, ...rest } = declaration
  return { ...rest, arguments: values, options, run: run as unknown as CommandSpec['run'] }
}

/** Whether the word selects this command. */
export const isNamed = (spec: CommandSpec | GroupSpec, word: string): boolean =>
  spec.name === word || (!isGroup(spec) && spec.aliases?.includes(word) === true)

export const isGroup = (spec: CommandSpec | GroupSpec): spec is GroupSpec => 'commands' in spec
