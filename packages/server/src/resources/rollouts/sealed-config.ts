import type { Sealing } from '@wharf/platform/sealing.ts'
import type { EarlierVersion } from '../software-packages/upgrades/service.ts'
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

  sealPrevious(targetUuid: string, previous: EarlierVersion): Buffer {
    return this.#sealing.seal(JSON.stringify(previous), `rolloutTargets.previous.${targetUuid}`)
  }

  /** What the host had before; undefined when it had nothing, or when an older node has started the target. */
  openPrevious({ uuid, sealedPrevious }: Pick<TargetRow, 'uuid' | 'sealedPrevious'>): EarlierVersion | undefined {
    if (sealedPrevious === null) return undefined
    return JSON.parse(this.#sealing.open(sealedPrevious, `rolloutTargets.previous.${uuid}`)) as EarlierVersion
  }

  /** The configuration of one host. */
  open(rollout: Pick<RolloutRow, 'uuid' | 'sealedConfig'>, target: Pick<TargetRow, 'uuid' | 'sealedConfig'>): object {
    if (target.sealedConfig === null) return this.openTemplate(rollout)
    return JSON.parse(this.#sealing.open(target.sealedConfig, `rolloutTargets.config.${target.uuid}`)) as object
  }
}
