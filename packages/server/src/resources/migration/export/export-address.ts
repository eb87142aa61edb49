import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'

/** How long an address is valid. */
const validSeconds = 24 * 60 * 60

export const exportPath = '/v1/migrate/images/{uuid}/export'

/** Addresses that download an image without a credential. They are not stored: the signature in the address is the proof. */
export class ExportAddress {
  readonly #sealing: Sealing

  constructor(sealing: Sealing) {
    this.#sealing = sealing
  }

  /** Relative to the address of the API. */
  pathOf(imageUuid: string, now: number): string {
    const expires = Math.floor(now / 1000) + validSeconds
    return `${exportPath.replace('{uuid}', imageUuid)}?expires=${expires}&signature=${this.#sign(imageUuid, expires)}`
  }

  verify(imageUuid: string, query: URLSearchParams, now: number): 'valid' | 'expired' | 'unknown' {
    const expires = query.get('expires') ?? ''
    if (!/^[0-9]{1,15}$/.test(expires)) return 'unknown'
    const isSigned = constantTimeEqual(query.get('signature') ?? '', this.#sign(imageUuid, Number(expires)))
    if (!isSigned) return 'unknown'
    return Number(expires) * 1000 > now ? 'valid' : 'expired'
  }

  #sign(imageUuid: string, expires: number): string {
    return this.#sealing.token('migrate image export', `${imageUuid} ${expires}`)
  }
}
