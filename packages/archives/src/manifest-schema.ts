import { Type } from '@wharf/contract'
import type { Static } from 'typebox'
import { durationPattern } from './duration.ts'

const closed = { additionalProperties: false }
const text = (maxLength: number, description: string, pattern = '^[^\\u0000-\\u001f\\u007f]+$') =>
  Type.String({ minLength: 1, maxLength, pattern, description })

const oneOf = <const V extends string>(values: readonly V[], words: object = {}) =>
  Type.Unsafe<V>({ anyOf: values.map((value) => ({ type: 'string', const: value })), ...words })

const Hook = (description: string) =>
  Type.Object(
    {
      run: Type.Array(Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$' }), {
        minItems: 1,
        maxItems: 64,
        description: 'The program and its arguments; no shell reads them. Relative to the unpacked folder',
      }),
      timeout: Type.Optional(
        Type.String({ pattern: durationPattern, description: 'A whole number and s, m or h: 90s, 10m, 2h' }),
      ),
    },
    { ...closed, description },
  )

const Image = Type.Object(
  {
    key: oneOf(['GatewayImage', 'LinuxBootImage', 'WindowsBootImage'], {
      description: 'What the migration gateway uses it for; each once',
    }),
    file: text(1024, 'The image in the archive, relative to wharf.json'),
    platform: oneOf(['Linux', 'Windows', 'Other']),
  },
  closed,
)

const Cluster = Type.Object(
  {
    initialise: Type.Optional(Hook('Forms the cluster, on the host of the package')),
    token: Type.Optional(Hook('Prints a result with a token for the component')),
    alerts: Type.Optional(Hook('Makes the component send its alerts to Wharf, also one that was taken over')),
    check: Type.Optional(Hook('Succeeds when the cluster has its quorum, and accepts the token if there is one')),
    apiPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'Where the component listens' })),
  },
  { ...closed, description: 'For packages that initialise a storage cluster' },
)

/** wharf.json, described for package authors in docs/package-format.md. */
export const manifestSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'For editors; not read' })),
    name: text(255, 'The name of the package'),
    version: text(255, 'The version, in any scheme'),
    type: text(
      255,
      'The type of the package; the same as in the call that installs it',
      '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    ),
    install: Type.Optional(Hook('Installs the package. Without it nothing runs')),
    verify: Type.Optional(Hook('Runs after install; succeeds when the installed software works')),
    uninstall: Type.Optional(Hook('Reverts install')),
    upgrade: Type.Optional(
      Hook('Replaces an installed version by this one. Without it, the old uninstall runs and then the new install'),
    ),
    config: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        patternProperties: { '^.*$': {} },
        description: 'A JSON Schema (draft 2020-12) for the configuration. Checked before any hook runs',
      }),
    ),
    cluster: Type.Optional(Cluster),
    images: Type.Optional(Type.Array(Image, { maxItems: 3, description: 'For packages of type Migrate' })),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'wharf.json',
    description: 'How Wharf installs a software package',
    ...closed,
  },
)

export type PackageManifest = Static<typeof manifestSchema>
export type PackageHook = NonNullable<PackageManifest['install']>

/** docs/package-format.schema.json. Short lists are on one line, as the formatter requires. */
export const manifestSchemaText = (): string =>
  `${JSON.stringify(manifestSchema, null, 2).replaceAll(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => `[${items.replaceAll(/\s+/g, ' ')}]`)}\n`
