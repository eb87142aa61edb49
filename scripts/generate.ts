import { writeFileSync } from 'node:fs'
import { manifestSchemaText } from '@wharf/archives/manifest-schema.ts'
import { clientTypes, openapi, operations, operationsText } from '@wharf/contract'

const root = new URL('../', import.meta.url)

/** Generated files that are checked in, by path from the root. */
export const generated = (): Record<string, string> => ({
  'packages/contract/openapi.json': `${JSON.stringify(openapi({ served: () => true }), null, 2)}\n`,
  'packages/contract/operations.txt': operationsText(operations),
  'packages/sdk/src/generated-types.ts': clientTypes(),
  'docs/package-format.schema.json': manifestSchemaText(),
})

if (import.meta.main) {
  for (const [path, text] of Object.entries(generated())) writeFileSync(new URL(path, root), text)
}
