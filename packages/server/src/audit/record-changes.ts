import { isDeepStrictEqual } from 'node:util'
import { type AuditChange, type AuditChanges, canonicalJson, type Inventory, inventories } from '@wharf/contract'
import type { ResourceType } from '@wharf/database/tables.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'

/** A row of a record, or the part of it that a change concerns. */
export type Image = Readonly<Record<string, unknown>>

type Kind = 'plain' | 'time' | 'flag' | 'json' | 'secret'

interface Column {
  readonly name: string
  readonly kind: Kind
  readonly table: string
}

/** No change of a user: the uuid is a field of the entry, and the times are those of the change. */
const bookkeeping = ['uuid', 'createDate', 'lastOpDate']

/** A longer text is cut, and all values are cut further until they fit into an entry. */
const maxText = 1024
const maxChangesBytes = 8192

interface ColumnSchema {
  readonly type?: string | readonly string[]
  readonly writeOnly?: boolean
  readonly 'x-timestamp'?: boolean
}

function kindOf({ type = [], writeOnly, 'x-timestamp': isTime }: ColumnSchema): Kind {
  const types = [type].flat()
  if (writeOnly) return 'secret'
  if (isTime) return 'time'
  if (types.includes('boolean')) return 'flag'
  return types.includes('array') || types.includes('object') ? 'json' : 'plain'
}

function columnsOf({ schema, table = '', private: hidden = {}, routine = [] }: Inventory): Column[] {
  const omitted = new Set([...bookkeeping, ...routine])
  return Object.entries({ ...schema.properties, ...hidden })
    .filter(([name]) => !omitted.has(name))
    .map(([name, column]) => ({ name, kind: kindOf(column as unknown as ColumnSchema), table }))
}

/** Tags are in tables of their own; an entry shows them as fields of the record that has them. */
const tagColumns = ['systemTags', 'userTags'].map((name): Column => ({ name, kind: 'json', table: name }))

/** By the type of events: records of one type may be in several tables, such as tags. */
const columnsByType = new Map<string | undefined, readonly Column[]>(
  [...Map.groupBy(inventories, ({ events: [type] }) => type)].map(([type, all]) => {
    const stored = all.filter(({ table }) => table !== undefined)
    const columns = new Map([...stored.flatMap(columnsOf), ...tagColumns].map((column) => [column.name, column]))
    // in the order of canonical JSON, in which they are hashed
    return [type, [...columns.values()].sort((a, b) => (a.name < b.name ? -1 : 1))]
  }),
)

const isSame = (a: unknown, b: unknown): boolean => a === b || (isObject(a) && isObject(b) && isDeepStrictEqual(a, b))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** `sealedPrivateKey` of a host is sealed with the context `hosts.privateKey.<uuid>`. */
function sealContext(table: string, column: string, image: Image): string {
  const name = column.replace(/^sealed([A-Z])/, (_, letter: string) => letter.toLowerCase())
  return `${table}.${name}.${image.AccessKeyID ?? image.uuid}`
}

/** The images of a record as the fields that differ, in the form that an entry shows. */
export class RecordChanges {
  readonly #sealing: Sealing

  constructor(sealing: Sealing) {
    this.#sealing = sealing
  }

  /** Empty when nothing but bookkeeping and routine columns differ. */
  between(type: ResourceType, before: Image | null, after: Image | null): AuditChanges {
    const changes: Record<string, AuditChange> = {}
    for (const column of columnsByType.get(type) ?? []) {
      const { name, kind } = column
      const was = before?.[name] ?? null
      const is = after?.[name] ?? null
      if (isSame(was, is)) continue
      const change = { after: this.#shown(column, is, after), before: this.#shown(column, was, before) }
      // a secret that was encrypted again
      if (kind !== 'secret' || change.before !== change.after) changes[name] = change
    }
    return changes
  }

  #shown({ name, kind, table }: Column, value: unknown, image: Image | null): unknown {
    if (value === null || image === null) return null
    return kind === 'secret' ? this.#hashed(value, sealContext(table, name, image)) : shownValue(kind, value)
  }

  #hashed(value: unknown, context: string): string {
    const secret = value instanceof Uint8Array ? this.#opened(value, context) : String(value)
    return `hmac-sha256:${this.#sealing.keyedHash(secret, context)}`
  }

  /** The text of an encrypted value: the same text is encrypted differently every time. */
  #opened(sealed: Uint8Array, context: string): string | Uint8Array {
    try {
      return this.#sealing.open(sealed, context)
    } catch {
      // not readable, such as a value that was copied from another row
      return sealed
    }
  }
}

function shownValue(kind: Kind, value: unknown): unknown {
  if (kind === 'time' && typeof value === 'number') return new Date(value).toISOString()
  if (kind === 'flag') return value === 1 || value === true
  if (kind === 'json' && typeof value === 'string') return parsed(value)
  return value instanceof Uint8Array ? `${value.byteLength} bytes` : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** One change that leads from the first image to the last. */
export function mergeChanges(first: AuditChanges, second: AuditChanges): AuditChanges {
  const merged: Record<string, AuditChange> = { ...first }
  for (const [field, { before, after }] of Object.entries(second)) {
    const earlier = merged[field]
    merged[field] = { after, before: earlier === undefined ? before : earlier.before }
    if (JSON.stringify(merged[field].before) === JSON.stringify(after)) delete merged[field]
  }
  return merged
}

/** The text of the column: canonical JSON, at most `maxChangesBytes`, with values cut as far as necessary. */
export function changesText(changes: AuditChanges): string {
  const text = canonicalJson(changes)
  // most are short
  if (text.length <= maxText) return text
  const fields = Object.entries(changes).map(([name, { before, after }]) => {
    const [was, is] = [textOf(before), textOf(after)]
    return { name, before, after, was, is, same: countSame(was, is) }
  })
  for (let longest = maxText; ; longest = Math.floor(longest / 2)) {
    // what differs first is not cut off
    const from = (same: number): number => Math.max(0, same - Math.floor(longest / 2))
    const shorter = fields.map(({ name, before, after, was, is, same }) => [
      name,
      { after: cut(after, is, from(same), longest), before: cut(before, was, from(same), longest) },
    ])
    const text = canonicalJson(Object.fromEntries(shorter))
    if (Buffer.byteLength(text) <= maxChangesBytes) return text
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : canonicalJson(value)

/** How many characters two texts start with in common. */
function countSame(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return same
}

function cut(value: unknown, text: string, start: number, longest: number): unknown {
  if (text.length <= longest) return value
  // not between the halves of a character
  const part = text.slice(start, start + longest).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${part}${start + longest < text.length ? '…' : ''}`
}
