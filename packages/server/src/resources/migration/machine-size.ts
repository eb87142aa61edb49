import { invalid } from '@wharf/platform/api-error.ts'

/** The resources that a VM gets from its host. */
export interface MachineSize {
  readonly cpu: number
  readonly memoryBytes: number
  /** Null: the default network of its host. */
  readonly network: string | null
}

export type Network = { readonly kind: 'network' | 'bridge'; readonly name: string } | { readonly kind: 'user' }

const MiB = 2 ** 20
const maxCpu = 255
const minMemoryBytes = 16 * MiB
const maxMemoryBytes = 2 ** 42
const defaults = { cpu: 1, memoryBytes: 1024 * MiB }

/** `network:default`, `bridge:br0` or `user`. */
export function parseNetwork(text: string): Network {
  if (text === 'user') return { kind: 'user' }
  const [, kind, name] = /^(network|bridge):([A-Za-z0-9_.-]+)$/.exec(text) ?? []
  if ((kind !== 'network' && kind !== 'bridge') || name === undefined)
    throw invalid('network must be network:<name>, bridge:<name> or user; names have letters, digits and _ . -')
  return { kind, name }
}

/** Of a call, or of the configuration of an installation, which is any JSON. */
export function machineSize(given: { readonly [name: string]: unknown }): MachineSize {
  const { cpu = defaults.cpu, memoryBytes = defaults.memoryBytes, network } = given
  if (!isBetween(cpu, 1, maxCpu)) throw invalid(`cpu must be a whole number from 1 to ${maxCpu}`)
  if (!isBetween(memoryBytes, minMemoryBytes, maxMemoryBytes))
    throw invalid(`memoryBytes must be a whole number from ${minMemoryBytes} to ${maxMemoryBytes}`)
  if (network === undefined || network === null) return { cpu, memoryBytes, network: null }
  if (typeof network !== 'string') throw invalid('network must be text')
  parseNetwork(network)
  return { cpu, memoryBytes, network }
}

const isBetween = (value: unknown, from: number, to: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to
