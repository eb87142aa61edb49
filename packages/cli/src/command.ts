import type { Cli } from './cli.ts'
import type { NamedKind } from './names/kinds.ts'

interface Described {
  readonly help: string
  /** Names or uuids of these records; they are completed. */
  readonly names?: NamedKind | 'gatewayVms'
  readonly choices?: readonly string[]
}

export interface ArgumentSpec extends Described {}

export interface OptionSpec extends Described {
  readonly required?: true
  readonly default?: string
  /** May be given several times. */
  readonly repeated?: true
}

/** `'--backup-storage [name]'` → `'backup-storage'` */
type LongName<F> = F extends `${string}--${infer Rest}` ? (Rest extends `${infer Name} ${string}` ? Name : Rest) : never
type Camel<S> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S
type OptionKey<F> = LongName<F> extends `no-${infer Name}` ? Camel<Name> : Camel<LongName<F>>

type One<F> = F extends `${string}<${string}>` ? string : F extends `${string}[${string}]` ? string | true : boolean
type OptionValue<F, S> = S extends { repeated: true } ? string[] : One<F>

type IsGiven<S> = S extends { required: true } | { default: string } ? true : false

export type OptionsOf<O> = {
  readonly [F in keyof O as IsGiven<O[F]> extends true ? OptionKey<F> : never]: OptionValue<F, O[F]>
} & { readonly [F in keyof O as IsGiven<O[F]> extends true ? never : OptionKey<F>]?: OptionValue<F, O[F]> }

type ArgumentKey<F> = F extends `${'<' | '['}${infer Name}...${'>' | ']'}`
  ? Camel<Name>
  : F extends `${'<' | '['}${infer Name}${'>' | ']'}`
    ? Camel<Name>
    : never
type ArgumentValue<F> = F extends `${string}...${string}` ? readonly string[] : string

export type ArgumentsOf<A> = {
  readonly [F in keyof A as F extends `<${string}` ? ArgumentKey<F> : never]: ArgumentValue<F>
} & { readonly [F in keyof A as F extends `[${string}` ? ArgumentKey<F> : never]?: ArgumentValue<F> }

interface Declared<A, O> {
  readonly name: string
  readonly summary: string
  /** In order: `<needed>`, `[optional]`, `<several...>`. */
  readonly arguments?: A
  readonly options?: O
  /** Without `wharf` at their beginning; every command has at least one. */
  readonly examples: readonly [string, ...string[]]
  /** Said below the summary. */
  readonly more?: string
  run(cli: Cli, given: ArgumentsOf<A>, options: OptionsOf<O>): Promise<void>
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>
export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** A command as the program and the completion see it. */
export interface CommandSpec {
  readonly name: string
  readonly summary: string
  readonly arguments: ArgumentSpecs
  readonly options: OptionSpecs
  readonly examples: readonly string[]
  readonly more?: string | undefined
  readonly isDefault?: boolean
  run(cli: Cli, given: Record<string, unknown>, options: Record<string, unknown>): Promise<void>
}

export interface GroupSpec {
  readonly name: string
  readonly summary: string
  readonly commands: readonly (CommandSpec | GroupSpec)[]
}

/** One command. Its parameters have the types that its arguments and options say. */
export function command<
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(declared: Declared<A, O>): CommandSpec {
  const { arguments: given = {}, options = {}, run, ...rest } = declared
  return { ...rest, arguments: given, options, run: run as unknown as CommandSpec['run'] }
}

export const isGroup = (spec: CommandSpec | GroupSpec): spec is GroupSpec => 'commands' in spec
