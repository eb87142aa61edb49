import type { Sealing } from '@wharf/platform/sealing.ts'
import type { RolloutRow, TargetRow } from './store.ts'

/** Configurations may contain secrets: they are stored encrypted. */
export class SealedConfigs {
  readonly #sealing: Sealing

  constructor(sealing: Sealing) {
    this.#sealing = sealing
  }

  sealTemplate(rolloutUuid: string, config: object): Buffer {
    return this.#sealing.seal(JSON.stringify(config), `rollouts.config.${rolloutUuid}`)
  }

  openTemplate({ uuid, sealedConfig }: Pick<RolloutRow, 'uuid' | 'sealedConfig'>): object {
    return JSON.parse(this.#sealing.open(sealedConfig, `rollouts.config.${uuid}`)) as object
  }

  sealRendered(targetUuid: string, config: string): Buffer {
    return this.#sealing.seal(config, `rolloutTargets.config.${targetUuid}`)
  }

  /** The configuration of one host. */
  open(rollout: Pick<RolloutRow, 'uuid' | 'sealedConfig'>, target: Pick<TargetRow, 'uuid' | 'sealedConfig'>): object {
    if (target.sealedConfig === null) return this.openTemplate(rollout)
    return JSON.parse(this.#sealing.open(target.sealedConfig, `rolloutTargets.config.${target.uuid}`)) as object
  }
}
