import { isObject, type JsonSchema } from '../../../features/config-form/json-schema.ts'

const GiB = 2 ** 30

export interface VmLabels {
  readonly hostUuid: string
  readonly cpu: string
  readonly memoryBytes: string
  readonly network: string
  readonly networkHelp: string
}

/** Installing this type creates a virtual machine; the server defines its configuration. */
export const createsVm = (type: string): boolean => type === 'Migrate'

const managementVm = (labels: VmLabels): JsonSchema => ({
  type: 'object',
  required: ['hostUuid'],
  properties: {
    hostUuid: { title: labels.hostUuid, type: 'string' },
    cpu: { title: labels.cpu, type: 'integer', minimum: 1, maximum: 255, default: 1 },
    memoryBytes: {
      title: labels.memoryBytes,
      type: 'integer',
      minimum: 16 * 2 ** 20,
      maximum: 4096 * GiB,
      default: GiB,
    },
    network: {
      title: labels.network,
      description: labels.networkHelp,
      type: 'string',
      pattern: '^(user|(network|bridge):[A-Za-z0-9_.-]+)$',
      examples: ['network:default'],
    },
  },
})

/** The configuration schema of a package; undefined if it has none. */
export function configSchemaOf(type: string, declared: unknown, labels: VmLabels): JsonSchema | undefined {
  if (isObject(declared)) return declared
  return createsVm(type) ? managementVm(labels) : undefined
}

/** The field with the target host of a package on backup storage. */
export const hostField = 'hostUuid'
