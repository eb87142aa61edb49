import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { RecordScope } from './record-scope.ts'
import type { Timestamp } from './schema.ts'
import { Type } from './type.ts'

/**
 * Who may call, from the widest to the narrowest. `own`: every signed-in user, for their own records; the service checks
 * ownership.
 */
export const permissions = ['public', 'own', 'read', 'operate', 'administer'] as const
export type Permission = (typeof permissions)[number]

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What the API does not show of a record: the events about it, and how it is stored. */
export type RecordTraits<Field extends string = string> = SharedTraits<Field> & (StoredTraits | UnstoredTraits)

interface StoredTraits {
  /** Its table, with a column for each field. */
  readonly table: string
  /** The hosts that it belongs to, for callers with a scope. */
  readonly scope: RecordScope
}

interface UnstoredTraits {
  readonly table?: undefined
  readonly scope?: undefined
}

interface SharedTraits<Field extends string> {
  /** The `resourceType` of the events that report its changes; empty when no event does. */
  readonly events: readonly string[]
  /** Columns that no answer contains; `writeOnly` ones are secrets. */
  readonly private?: TProperties
  /** A field that is a map of labels, and the table that also has them one by one, for conditions such as `labels.zone=a`. */
  readonly labels?: { readonly field: Field; readonly table: 'hostLabels' }
  /** Fields without a column. */
  readonly computed?: readonly Field[]
  /** Fields and private columns whose changes cause no audit entry: progress, measurements, times of use, bookkeeping. */
  readonly routine?: readonly string[]
  /** The field that lists are sorted by unless a call names another; defaults to createDate. */
  readonly order?: Field
}

/** A record of the API under its published name. */
export type Inventory<P extends TProperties = TProperties, Traits extends RecordTraits = RecordTraits> = Traits & {
  readonly name: string
  readonly since: string
  readonly schema: TObject<P>
}

/** The noun for one such record in texts: `backup storage` for the event type BackupStorage. */
export const nounOf = ({ events: [type = ''] }: RecordTraits): string =>
  type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

export const inventory = <const P extends TProperties, const Traits extends RecordTraits<keyof P & string>>({
  fields,
  ...declared
}: { name: string; since: string; fields: P } & Traits): Inventory<P, Traits> =>
  ({
    ...declared,
    schema: Type.Object(fields, { additionalProperties: false, title: declared.name }),
  }) as unknown as Inventory<P, Traits>

/** The kind of record and what is done with it: `hosts.add`. */
export type ClientName = `${string}.${string}`

/** One operation of the API. Routes, validation, documentation and clients are all derived from it. */
export interface Operation<
  Path extends string = string,
  Fields extends TProperties = TProperties,
  Answer extends TProperties | 'empty' = TProperties | 'empty',
  Client extends ClientName | null = ClientName | null,
> {
  readonly name: string
  /** The method of clients that calls it; null for a stream, for which clients have code of their own. */
  readonly client: Client
  /** The group of its documentation, and the folder of its code. */
  readonly resource: string
  readonly method: Method
  readonly path: Path
  /** POST and PUT carry their fields inside this named structure; operations that share a path differ in it. */
  readonly structure?: string
  readonly summary: string
  readonly since: string
  readonly permission: Permission
  /** `call` answers at once; `job` is durable and may answer 202; `stream` writes its own answer. */
  readonly mode: 'call' | 'job' | 'stream'
  /** The default deadline of its job. */
  readonly timeoutSeconds?: number
  readonly fields: Fields
  readonly answer: Answer
  readonly errors: readonly ErrorCode[]
  /** A collection of these records, with the query language. */
  readonly queries?: Inventory
  /** The system tag that may carry this operation's fields as JSON. */
  readonly configTag?: 'uploadConfig' | 'installConfig' | 'initConfig'
  /** False: polling does not extend a session. */
  readonly extendsSession?: false
  /** Fields that name hosts other than by their uuid: a caller with a scope reaches only hosts within it. */
  readonly hostFields?: {
    /** Conditions that select hosts. */
    readonly selector?: string
    /** Addresses of hosts. */
    readonly addresses?: readonly string[]
  }
  /** Its answer is about all hosts: a caller with a scope may not call it. */
  readonly isForAllHosts?: true
  /** The operation that this one is a former name of. */
  readonly aliasOf?: string
  /** False: it changes nothing, although its method is not GET. */
  readonly changes?: false
  /** Login and logout: nothing to repeat safely, no job to report to. */
  readonly repeatable?: false
  /** True: it repeats the call of a job, and is refused like that call. */
  readonly repeatsJobs?: true
}

type Declared<
  Path extends string,
  F extends TProperties,
  A extends TProperties | 'empty',
  C extends ClientName | null,
> = Omit<Operation<Path, F, A>, 'client' | 'mode' | 'errors'> & {
  client?: C
  mode?: Operation['mode']
  errors?: readonly ErrorCode[]
}

export function operation<
  const Path extends `/v1/${string}`,
  const F extends TProperties,
  const A extends TProperties | 'empty',
  const C extends ClientName | null = null,
>(declared: Declared<Path, F, A, C>): Operation<Path, F, A, C> {
  return { mode: 'call', errors: [], client: null as C, ...declared }
}

/** A former name of an operation, which clients accept for one more version; documents list only the operation. */
export const alias = <
  Path extends string,
  F extends TProperties,
  A extends TProperties | 'empty',
  const C extends ClientName,
>(
  of: Operation<Path, F, A>,
  former: { name: string; client: C },
): Operation<Path, F, A, C> => ({ ...of, ...former, aliasOf: of.name })

/** `'/v1/hosts/{uuid}/actions'` → `'uuid'` */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '')

export type FieldsOf<O> = O extends Operation<string, infer F, TProperties | 'empty'> ? Static<TObject<F>> : never

/** The answer as a client reads it. */
export type AnswerOf<O> =
  O extends Operation<string, TProperties, infer A>
    ? A extends TProperties
      ? Static<TObject<A>>
      : Record<never, never>
    : never

/** A record inside the server: times are milliseconds. */
export type Recorded<T> = T extends Timestamp
  ? number
  : T extends readonly (infer U)[]
    ? readonly Recorded<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Recorded<T[K]> }
      : T

/** A value in a column of the database: a time in milliseconds, a flag as 0 or 1, a list or map as JSON text. */
type Column<T> = T extends Timestamp | boolean ? number : T extends string | number | Uint8Array | null ? T : string

type Columns<P> = { [K in keyof P]: P[K] extends TSchema ? Column<Static<P[K]>> : never }

/** The row of a stored record: its fields but the computed ones, and its private columns. */
export type StoredRow<I> = I extends { readonly schema: TObject<infer P> }
  ? Columns<Omit<P, I extends { readonly computed: readonly (infer C extends string)[] } ? C : never>> &
      (I extends { readonly private: infer Private } ? Columns<Private> : unknown)
  : never
