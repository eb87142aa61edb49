import { operations } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { type Cidr, cidrRule, formatCidr, parseCidr } from '@wharf/platform/cidr.ts'
import { editDistance } from '@wharf/platform/edit-distance.ts'
import type { KeyLimits } from '../../../calls/caller.ts'
import type { AccessKeyRow } from './store.ts'

const maxTypos = 2

const names: ReadonlySet<string> = new Set(operations.flatMap(({ name, resource }) => [name, `${resource}:*`]))

/** The columns of a key as its calls are checked with them; undefined for a key without limits. */
export function limitsOf(row: Pick<AccessKeyRow, 'operations' | 'allowedCidrs'>): KeyLimits | undefined {
  const listed = JSON.parse(row.operations) as string[]
  const networks = JSON.parse(row.allowedCidrs) as string[]
  if (listed.length === 0 && networks.length === 0) return undefined
  return { operations: listed, allowedCidrs: networks.flatMap((network) => parseCidr(network) ?? []) }
}

/** Empty without a limit. */
export function readOperations(given: readonly string[] | undefined): string[] {
  refuseEmpty('operations', given)
  return [...new Set(given ?? [])].map((name) => {
    if (names.has(name)) return name
    throw invalid(`params.operations: there is no operation or group ${name}${suggestion(name)}`)
  })
}

function suggestion(name: string): string {
  const near = [...names].find((known) => editDistance(known.toLowerCase(), name.toLowerCase()) <= maxTypos)
  return near === undefined ? '; groups have the form software-packages:*' : `; did you mean ${near}?`
}

/** Empty without a limit. */
export function readCidrs(given: readonly string[] | undefined): string[] {
  refuseEmpty('allowedCidrs', given)
  return [...new Set((given ?? []).map((text) => formatCidr(readCidr(text))))]
}

function readCidr(text: string): Cidr {
  const network = parseCidr(text)
  if (network === undefined) throw invalid(`params.allowedCidrs: ${text} ${cidrRule}`)
  return network
}

/** A program that computes an empty list would otherwise create a key without limits. */
function refuseEmpty(field: string, given: readonly string[] | undefined): void {
  if (given?.length === 0) throw invalid(`params.${field} is empty; omit it for a key without that limit`)
}
