import { uuidPattern } from '@wharf/contract'
import type { SeededRandom } from '../seeded-random.ts'
import type { Schema } from './bad-values.ts'
import type { FuzzFixture } from './fuzz-fixture.ts'
import type { Entry, Kind, Pool } from './pool.ts'
import { anyText, plainWord } from './texts.ts'

/** What the fields of a valid call are derived from. */
export interface ValueContext {
  readonly fixture: FuzzFixture
  readonly pool: Pool
  readonly random: SeededRandom
  /** The call must succeed, because another call needs its record. */
  readonly mustSucceed: boolean
  /** The record in the path. */
  readonly subject: Entry | undefined
}

/** Which records a field of this name points at. */
const references: Readonly<Record<string, Kind>> = {
  accountUuid: 'accounts',
  userUuid: 'accounts',
  endpointUuid: 'endpoints',
  platformUuids: 'platforms',
  tagUuid: 'tags',
  tagUuids: 'tags',
  hostUuid: 'hosts',
  backupStorageUuid: 'storages',
}

const colours = ['#00ff00', '#ABCDEF', 'teal', 'x']
/** Letters of an access key, which is parted from its secret by a colon. */
const keyLetters = [...'!"#$%&()*+,-./0123456789;<=>?@ABCXYZ[]^_`abcxyz{|}~']

/** A value that is valid according to the declaration of this field. */
export function validValue(name: string, schema: Schema, context: ValueContext): unknown {
  const { fixture, random } = context
  if (Array.isArray(schema.enum)) return random.pick(schema.enum as unknown[])
  switch (schema.type) {
    case 'boolean':
      return random.happens(0.5)
    case 'integer':
      return validNumber(schema, random)
    case 'array':
      if (isUnknown(name, context)) return []
      return Array.from({ length: random.between(0, 2) }, () => validValue(name, schema.items as Schema, context))
    case 'object':
      return {}
    default:
  }
  if (schema.pattern === uuidPattern) return formatUuid(validUuid(name, context), random)
  if (name === 'AccessKeyID')
    return Array.from({ length: random.between(10, 20) }, () => random.pick(keyLetters)).join('')
  if (name === 'color') return random.pick(colours)
  if (name === 'scope') return 'labels.zone=a'
  if (name === 'spreadBy') return 'zone'
  if (schema.writeOnly === true) return fixture.secretText()
  return anyText(random, Number(schema.maxLength))
}

const isUnknown = (name: string, { pool, random }: ValueContext): boolean => {
  const kind = references[name]
  return kind !== undefined && pool.all(kind).length === 0 && random.happens(0.95)
}

const validNumber = ({ minimum, maximum }: Schema, random: SeededRandom): number => {
  const [least, most] = [Number(minimum), Number(maximum)]
  return random.happens(0.1) ? random.pick([least, most]) : random.between(least, Math.min(most, least + 50))
}

function validUuid(name: string, { pool, random, mustSucceed, fixture }: ValueContext): string {
  const kind = references[name]
  if (kind === undefined)
    return name === 'managementNodeUuid' ? fixture.server.bootstrap.managementNodeUuid : random.hex(32)
  const known = pool.pick(kind, random)
  return known === undefined || (!mustSucceed && random.happens(0.05)) ? random.hex(32) : known.uuid
}

/** A uuid as some clients write it. */
export const formatUuid = (uuid: string, random: SeededRandom): string => {
  const dashed = uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return random.happens(0.8) ? uuid : random.pick([dashed, dashed.toUpperCase(), uuid.toUpperCase()])
}

/** A name that nothing else has. */
export const freshName = ({ fixture, random }: ValueContext, maxLength = 255): string =>
  `${anyText(random, maxLength - 12)} ${fixture.nextNumber()}${plainWord(random, 3)}`
