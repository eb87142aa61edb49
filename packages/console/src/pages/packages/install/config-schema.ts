import { isObject, type JsonSchema } from './json-schema.ts'

const GiB = 2 ** 30

/** Installing a package of this type makes a virtual machine; what it takes is the server's, not the package's. */
const managementVm: JsonSchema = {
  type: 'object',
  required: ['hostUuid'],
  properties: {
    hostUuid: { type: 'string' },
    cpu: { type: 'integer', minimum: 1, maximum: 255, default: 1 },
    memoryBytes: { type: 'integer', minimum: 16 * 2 ** 20, maximum: 4096 * GiB, default: GiB },
    network: { type: 'string', pattern: '^(network:.+|bridge:.+|user)$', examples: ['network:default'] },
  },
}

/** What the configuration of a package must look like; undefined when it does not tell. */
export function configSchemaOf(type: string, told: unknown): JsonSchema | undefined {
  if (isObject(told)) return told
  return type === 'Migrate' ? managementVm : undefined
}

/** The name of the field that says where to install what lies on backup storage. */
export const hostField = 'hostUuid'
