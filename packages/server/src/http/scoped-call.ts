import { isOptional, type Operation, uuidPattern } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { type CallerScope, scopeText } from '@wharf/database/scope-conditions.ts'
import { findHostAddresses, findOutside } from '@wharf/database/scoped-reads.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import { canonicalHost } from '@wharf/platform/canonical-host.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { uuidsInAnswer, withoutUuids } from './scoped-answer.ts'

type Fields = Readonly<Record<string, unknown>>
type Path = Readonly<Record<string, string>>
type Schema = Record<string, unknown>

interface ScopedCallDeps {
  readonly database: Database
  readonly operation: Operation
  readonly scope: CallerScope
}

const isUuidField = ({ pattern, items }: Schema): boolean =>
  pattern === uuidPattern || (items as Schema | undefined)?.pattern === uuidPattern

/** The fields that name existing records; `resourceUuid` is the uuid of a new one where it is optional. */
const referringFields = ({ fields }: Operation): string[] =>
  Object.entries(fields as unknown as Record<string, Schema>)
    .filter(([name, schema]) => isUuidField(schema) && !(name === 'resourceUuid' && isOptional(schema)))
    .map(([name]) => name)

const hiddenText = 'a record that is not shown'
const uuidsInText = /\b[0-9a-f]{32}\b/g

/**
 * One call of a caller with a scope. A uuid in its input that belongs to a record outside the scope is replaced by one that
 * no record has, so that every operation answers as it does for an unknown uuid.
 */
export class ScopedCall {
  readonly #deps: ScopedCallDeps
  readonly path: Path
  readonly fields: Fields
  /** The uuids in the input that are not outside. */
  readonly #references: readonly string[]
  /** The replaced uuids by what replaces them. */
  readonly #hidden: ReadonlyMap<string, string>

  private constructor(
    deps: ScopedCallDeps,
    input: { path: Path; fields: Fields },
    uuids: { references: readonly string[]; hidden: ReadonlyMap<string, string> },
  ) {
    this.#deps = deps
    this.path = input.path
    this.fields = input.fields
    this.#references = uuids.references
    this.#hidden = uuids.hidden
  }

  static async enter(deps: ScopedCallDeps, path: Path, sent: Fields): Promise<ScopedCall> {
    const { operation, database, scope } = deps
    const names = referringFields(operation)
    const uuids = [...Object.values(path), ...names.flatMap((name) => sent[name] ?? [])].map(String)
    const outside = await findOutside(database, scope, uuids)
    const replacements = new Map([...outside].map((uuid) => [uuid, newUuid()]))
    const replace = (value: unknown): unknown => replacements.get(String(value)) ?? value
    const replaceAll = (value: unknown): unknown => (Array.isArray(value) ? value.map(replace) : replace(value))
    const fields = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, names.includes(name) ? replaceAll(value) : value]),
    )
    const hidden = new Map([...replacements].map(([uuid, replacement]) => [replacement, uuid]))
    const input = {
      path: Object.fromEntries(Object.entries(path).map(([name, uuid]) => [name, replacements.get(uuid) ?? uuid])),
      fields: { ...fields, ...selectorWithin(deps, fields) },
    }
    await requireAddressesWithin(deps, fields)
    return new ScopedCall(deps, input, { references: uuids.filter((uuid) => !outside.has(uuid)), hidden })
  }

  /** The uuids in the input that are outside. */
  get hiddenUuids(): readonly string[] {
    return [...this.#hidden.values()]
  }

  /** Labels may have changed since the call started. */
  async authorise(tx: Tx): Promise<void> {
    const { database, scope } = this.#deps
    const [uuid] = await findOutside(database, scope, this.#references, tx)
    if (uuid !== undefined) throw notFound('resource', uuid)
  }

  /** Nothing that the call creates or changes may leave the scope. */
  async checkResult<T extends object>(tx: Tx, result: T): Promise<T> {
    const { database, scope } = this.#deps
    const { inventory, jobUuid } = result as { inventory?: { uuid?: string } | null; jobUuid?: string }
    const uuids = [inventory?.uuid, jobUuid].filter((uuid) => typeof uuid === 'string')
    const outside = await findOutside(database, scope, uuids, tx)
    if (outside.size === 0) return result
    throw new ApiError(
      'ID.1002',
      `the record would be outside the scope of the caller (${scopeText(scope)}); give the host labels within the scope, or let a caller without this scope do it`,
    )
  }

  /** The answer without uuids of records outside. */
  async shown(answer: object): Promise<object> {
    const { operation, database, scope } = this.#deps
    const outside = await findOutside(database, scope, uuidsInAnswer(operation, answer))
    return outside.size === 0 ? answer : withoutUuids(operation, answer, outside)
  }

  /** The failure without names and uuids of records outside. */
  async conceal(failure: unknown): Promise<unknown> {
    if (!(failure instanceof ApiError)) return failure
    const { database, scope } = this.#deps
    const named = mentionedIn(failure).filter((uuid) => !this.#hidden.has(uuid))
    const outside = await findOutside(database, scope, named)
    // what the call itself names
    const sent = new Set<unknown>([...this.#hidden.values(), ...this.#references, this.fields.resourceUuid])
    return concealed(failure, (text, mentions) => {
      let shown = text
      for (const { uuid, text: name } of mentions) if (outside.has(uuid)) shown = shown.replaceAll(name, hiddenText)
      for (const uuid of outside) if (!sent.has(uuid)) shown = shown.replaceAll(uuid, hiddenText)
      for (const [replacement, uuid] of this.#hidden) shown = shown.replaceAll(replacement, uuid)
      return shown
    })
  }
}

/** The hosts of a selector are limited like those of the caller, also those that match it later. */
function selectorWithin({ operation, scope }: ScopedCallDeps, fields: Fields): Fields {
  const name = operation.hostFields?.selector
  const given = name === undefined ? undefined : fields[name]
  if (name === undefined || !Array.isArray(given) || given.length === 0) return {}
  return { [name]: [...new Set([...(given as string[]), ...scope.texts])] }
}

/** An address of a host outside the scope is refused like one of no host. */
async function requireAddressesWithin({ operation, database, scope }: ScopedCallDeps, fields: Fields): Promise<void> {
  const names = operation.hostFields?.addresses ?? []
  if (names.length === 0) return
  const prefix = operation.structure === undefined ? '' : `${operation.structure}.`
  const given = names.flatMap((name) =>
    [fields[name] ?? []].flat().map((address) => ({ name, address: String(address) })),
  )
  const inside = await findHostAddresses(
    database,
    scope,
    given.map(({ address }) => canonicalHost(address)),
  )
  const refuse = (fact: string): never => {
    throw new ApiError('ID.1002', `${fact} within the scope of the caller (${scopeText(scope)}); name such a host`)
  }
  for (const { name, address } of given)
    if (!inside.has(canonicalHost(address))) refuse(`${prefix}${name}: ${address} is not the address of a host`)
  // the default of a new record is the address of the server
  for (const name of names)
    if (operation.method === 'POST' && fields[name] === undefined)
      refuse(`${prefix}${name} must be the address of a host`)
}

const mentionedIn = (failure: ApiError): string[] => [
  ...(failure.message.match(uuidsInText) ?? []),
  ...failure.mentions.map(({ uuid }) => uuid),
  ...(failure.cause instanceof ApiError ? mentionedIn(failure.cause) : []),
]

function concealed(failure: ApiError, shown: (text: string, mentions: ApiError['mentions']) => string): ApiError {
  const { code, message, mentions, status, retryAfterSeconds } = failure
  const cause = failure.cause instanceof ApiError ? concealed(failure.cause, shown) : failure.cause
  return new ApiError(code, shown(message, mentions), {
    status,
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
