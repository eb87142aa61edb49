import { uuidPattern } from '@wharf/contract'
import type { Chance } from '../chance.ts'
import type { Schema } from './bad-values.ts'
import type { Entry, Kind, Pool } from './pool.ts'
import { anyText, plainWord } from './texts.ts'
import type { FuzzWorld } from './world.ts'

/** What a valid call is made of. */
export interface Makings {
  readonly world: FuzzWorld
  readonly pool: Pool
  readonly chance: Chance
  /** It shall succeed, because another call needs what it makes. */
  readonly isSure: boolean
  /** What is known of the record in the path. */
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

/** A value that this field takes, as far as its declaration says. */
export function validValue(name: string, schema: Schema, makings: Makings): unknown {
  const { world, chance } = makings
  if (Array.isArray(schema.enum)) return chance.pick(schema.enum as unknown[])
  switch (schema.type) {
    case 'boolean':
      return chance.happens(0.5)
    case 'integer':
      return validNumber(schema, chance)
    case 'array':
      if (isUnknown(name, makings)) return []
      return Array.from({ length: chance.between(0, 2) }, () => validValue(name, schema.items as Schema, makings))
    case 'object':
      return {}
    default:
  }
  if (schema.pattern === uuidPattern) return written(validUuid(name, makings), chance)
  if (name === 'AccessKeyID')
    return Array.from({ length: chance.between(10, 20) }, () => chance.pick(keyLetters)).join('')
  if (name === 'color') return chance.pick(colours)
  if (schema.writeOnly === true) return world.secretText()
  return anyText(chance, Number(schema.maxLength))
}

const isUnknown = (name: string, { pool, chance }: Makings): boolean => {
  const kind = references[name]
  return kind !== undefined && pool.all(kind).length === 0 && chance.happens(0.95)
}

const validNumber = ({ minimum, maximum }: Schema, chance: Chance): number => {
  const [least, most] = [Number(minimum), Number(maximum)]
  return chance.happens(0.1) ? chance.pick([least, most]) : chance.between(least, Math.min(most, least + 50))
}

function validUuid(name: string, { pool, chance, isSure, world }: Makings): string {
  const kind = references[name]
  if (kind === undefined)
    return name === 'managementNodeUuid' ? world.server.bootstrap.managementNodeUuid : chance.hex(32)
  const known = pool.pick(kind, chance)
  return known === undefined || (!isSure && chance.happens(0.05)) ? chance.hex(32) : known.uuid
}

/** A uuid as some clients write it. */
export const written = (uuid: string, chance: Chance): string => {
  const dashed = uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return chance.happens(0.8) ? uuid : chance.pick([dashed, dashed.toUpperCase(), uuid.toUpperCase()])
}

/** A name that nothing else has. */
export const freshName = ({ world, chance }: Makings, longest = 255): string =>
  `${anyText(chance, longest - 12)} ${world.nextNumber()}${plainWord(chance, 3)}`
