import type { Static, TObject, TProperties } from 'typebox'
import { commonErrors, type ErrorCode, jobErrors } from './errors.ts'
import type { Timestamp } from './schema.ts'
import { Type } from './type.ts'

/**
 * Who may call, beginning with what the most may. `own` is every signed-in user, on what belongs to them; the service
 * checks ownership.
 */
export const permissions = ['public', 'own', 'read', 'operate', 'administer'] as const
export type Permission = (typeof permissions)[number]

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A record of the API under its published name. */
export interface Inventory<P extends TProperties = TProperties> {
  readonly name: string
  readonly since: string
  readonly schema: TObject<P>
}

export const inventory = <const P extends TProperties>(name: string, since: string, properties: P): Inventory<P> => ({
  name,
  since,
  schema: Type.Object(properties, { additionalProperties: false, title: name }),
})

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
  /** The method of a client that calls it; null where the answer is a stream, which a client reads in a way of its own. */
  readonly client: Client
  /** The group it is documented under, and the folder it lives in. */
  readonly resource: string
  readonly method: Method
  readonly path: Path
  /** POST and PUT carry their fields inside this named structure; it tells apart operations that share a path. */
  readonly structure?: string
  readonly summary: string
  readonly since: string
  readonly permission: Permission
  /** `call` answers at once; `job` is durable and may answer 202; `stream` writes its own answer. */
  readonly mode: 'call' | 'job' | 'stream'
  /** How long its job may take when the caller does not say. */
  readonly timeoutSeconds?: number
  readonly fields: Fields
  readonly answer: Answer
  readonly errors: readonly ErrorCode[]
  /** A collection of these records, with the query language. */
  readonly queries?: Inventory
  /** The system tag that may carry this operation's fields as JSON. */
  readonly configTag?: 'uploadConfig' | 'installConfig' | 'initConfig'
  /** Polling keeps nobody signed in. */
  readonly extendsSession?: false
  /** Login and logout: nothing to repeat safely, no job to report to. */
  readonly repeatable?: false
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

/** A record as the server holds it: times are milliseconds, the edge writes them out. */
export type Recorded<T> = T extends Timestamp
  ? number
  : T extends readonly (infer U)[]
    ? readonly Recorded<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Recorded<T[K]> }
      : T

/** Every code that the operation may answer: its own, those of any operation, of its method, and of a job. */
export function errorsOf({ errors, method, mode, repeatable }: Operation): ErrorCode[] {
  const ofMethod: ErrorCode[] = method === 'GET' || repeatable === false ? [] : ['JOB.1002']
  const ofMode = mode === 'job' ? jobErrors : []
  return [...new Set([...errors, ...ofMode, ...commonErrors, ...ofMethod])]
}
