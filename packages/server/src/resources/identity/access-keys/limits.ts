import { type KeyScheme, keySchemes, operations, type Role } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { type Cidr, cidrRule, formatCidr, parseCidr } from '@wharf/platform/cidr.ts'
import { editDistance } from '@wharf/platform/edit-distance.ts'
import type { KeyLimits } from '../../../calls/caller.ts'
import { readTime } from '../../../calls/read-period.ts'
import type { AccessKeyRow } from './store.ts'

const maxTypos = 2

const names: ReadonlySet<string> = new Set(operations.flatMap(({ name, resource }) => [name, `${resource}:*`]))

/** Of a session. */
export const noLimits: KeyLimits = {
  role: null,
  operations: [],
  allowedCidrs: [],
  schemes: keySchemes,
  expiresDate: null,
}

type LimitColumns = Pick<AccessKeyRow, 'maxRole' | 'operations' | 'allowedCidrs' | 'schemes' | 'expiresDate'>

export const limitsOf = ({ maxRole, expiresDate, ...row }: LimitColumns): KeyLimits => ({
  role: maxRole,
  operations: JSON.parse(row.operations) as string[],
  allowedCidrs: (JSON.parse(row.allowedCidrs) as string[]).flatMap((network) => parseCidr(network) ?? []),
  schemes: JSON.parse(row.schemes) as KeyScheme[],
  expiresDate,
})

export const limitColumns = ({ role, expiresDate, ...limits }: KeyLimits): LimitColumns => ({
  maxRole: role,
  operations: JSON.stringify(limits.operations),
  allowedCidrs: JSON.stringify(limits.allowedCidrs.map(formatCidr)),
  schemes: JSON.stringify(limits.schemes),
  expiresDate,
})

/** The fields of `CreateAccessKey` with limits. */
export interface GivenLimits {
  readonly role?: Role | undefined
  readonly operations?: readonly string[] | undefined
  readonly allowedCidrs?: readonly string[] | undefined
  readonly schemes?: readonly KeyScheme[] | undefined
  readonly expiresDate?: string | undefined
}

interface NewKeyFacts {
  /** The limits of the key that creates it: what the call omits is the same. */
  readonly inherited: KeyLimits
  readonly hasPublicKey: boolean
  readonly now: number
  readonly timezone: string
}

export const readLimits = (given: GivenLimits, { inherited, hasPublicKey, ...time }: NewKeyFacts): KeyLimits => ({
  role: given.role ?? inherited.role,
  operations: given.operations === undefined ? inherited.operations : readOperations(given.operations),
  allowedCidrs: given.allowedCidrs === undefined ? inherited.allowedCidrs : readCidrs(given.allowedCidrs),
  schemes: readSchemes(given.schemes, hasPublicKey) ?? inherited.schemes,
  expiresDate: given.expiresDate === undefined ? inherited.expiresDate : readExpiry(given.expiresDate, time),
})

function readOperations(given: readonly string[]): string[] {
  refuseEmpty('operations', given)
  return [...new Set(given)].map((name) => {
    if (names.has(name)) return name
    throw invalid(`params.operations: there is no operation or group ${name}${suggestion(name)}`)
  })
}

function suggestion(name: string): string {
  const near = [...names].find((known) => editDistance(known.toLowerCase(), name.toLowerCase()) <= maxTypos)
  return near === undefined ? '; groups have the form software-packages:*' : `; did you mean ${near}?`
}

function readCidrs(given: readonly string[]): Cidr[] {
  refuseEmpty('allowedCidrs', given)
  return [...new Map(given.map(readCidr).map((network) => [formatCidr(network), network])).values()]
}

function readCidr(text: string): Cidr {
  const network = parseCidr(text)
  if (network === undefined) throw invalid(`params.allowedCidrs: ${text} ${cidrRule}`)
  return network
}

/** A program that computes an empty list would otherwise create a key without limits. */
function refuseEmpty(field: string, given: readonly string[]): void {
  if (given.length === 0) throw invalid(`params.${field} is empty; omit it for a key without that limit`)
}

function readSchemes(given: readonly KeyScheme[] | undefined, hasPublicKey: boolean): KeyScheme[] | undefined {
  if (given !== undefined && !given.includes('rfc9421'))
    throw invalid('params.schemes must contain rfc9421; omit it for a key that accepts both schemes')
  if (hasPublicKey && given?.includes('service'))
    throw invalid('params.schemes: a key with a public key is used with rfc9421 only; omit schemes')
  if (hasPublicKey) return ['rfc9421']
  return given && keySchemes.filter((scheme) => given.includes(scheme))
}

function readExpiry(given: string, { now, timezone }: Pick<NewKeyFacts, 'now' | 'timezone'>): number {
  const time = readTime('params.expiresDate', given, timezone)
  if (time > now) return time
  throw invalid(`params.expiresDate ${given} is in the past; use a later time, or omit it`)
}
