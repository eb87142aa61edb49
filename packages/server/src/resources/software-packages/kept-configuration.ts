import type { JsonSchema } from '@wharf/archives/config-check.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { manifestOf } from './configuration.ts'
import { findSecretValues, hideSecretFields } from './secret-values.ts'
import type { PackageRow } from './store.ts'

type Kept = Pick<PackageRow, 'uuid' | 'name' | 'manifest' | 'sealedInstallConfig'>

const sealContext = (packageUuid: string): string => `softwarePackages.installConfig.${packageUuid}`

/** The configuration with which a package was installed: its rollback and its verification need it. */
export class KeptConfigurations {
  readonly #sealing: Sealing

  constructor(sealing: Sealing) {
    this.#sealing = sealing
  }

  seal(packageUuid: string, config: unknown): Uint8Array {
    return this.#sealing.seal(JSON.stringify({ config }), sealContext(packageUuid))
  }

  /** Undefined for a package that is not installed, or that an older version installed. */
  open({
    uuid,
    sealedInstallConfig,
  }: Pick<Kept, 'uuid' | 'sealedInstallConfig'>): { readonly config: unknown } | undefined {
    if (sealedInstallConfig === null) return undefined
    return JSON.parse(this.#sealing.open(sealedInstallConfig, sealContext(uuid))) as { config: unknown }
  }

  /** Without the fields that the schema marks as write-only. */
  shown(row: Kept): string | Record<string, unknown> | null {
    const { config } = this.open(row) ?? { config: null }
    const schema = schemaOf(row)
    const shown = schema === undefined || config === null ? config : hideSecretFields(schema, config)
    return shown as string | Record<string, unknown> | null
  }
}

const schemaOf = (row: Pick<PackageRow, 'name' | 'manifest'>): JsonSchema | undefined =>
  row.manifest === null ? undefined : (manifestOf(row).config as JsonSchema | undefined)

/** The values of a configuration that must not appear in a log. */
export function secretsOf(row: Pick<PackageRow, 'name' | 'manifest'>, config: unknown): string[] {
  const schema = schemaOf(row)
  return schema === undefined ? [] : findSecretValues(schema, config)
}
