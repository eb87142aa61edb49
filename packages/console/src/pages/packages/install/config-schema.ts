import { isObject, type JsonSchema } from './json-schema.ts'

const GiB = 2 ** 30

/** What the fields of a virtual machine are called. */
export interface VmWords {
  readonly hostUuid: string
  readonly cpu: string
  readonly memoryBytes: string
  readonly network: string
  readonly networkHelp: string
}

/** Installing a package of this type makes a virtual machine; what it takes is the server's, not the package's. */
export const makesVm = (type: string): boolean => type === 'Migrate'

const managementVm = (say: VmWords): JsonSchema => ({
  type: 'object',
  required: ['hostUuid'],
  properties: {
    hostUuid: { title: say.hostUuid, type: 'string' },
    cpu: { title: say.cpu, type: 'integer', minimum: 1, maximum: 255, default: 1 },
    memoryBytes: {
      title: say.memoryBytes,
      type: 'integer',
      minimum: 16 * 2 ** 20,
      maximum: 4096 * GiB,
      default: GiB,
    },
    network: {
      title: say.network,
      description: say.networkHelp,
      type: 'string',
      pattern: '^(user|(network|bridge):[A-Za-z0-9_.-]+)$',
      examples: ['network:default'],
    },
  },
})

/** What the configuration of a package must look like; undefined when it does not tell. */
export function configSchemaOf(type: string, told: unknown, say: VmWords): JsonSchema | undefined {
  if (isObject(told)) return told
  return makesVm(type) ? managementVm(say) : undefined
}

/** The name of the field that says where to install what lies on backup storage. */
export const hostField = 'hostUuid'
