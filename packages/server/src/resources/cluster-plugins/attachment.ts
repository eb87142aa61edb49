import type { PlatformRow } from '../alerts/service.ts'

/** Told something, and nobody knows whether it took it in: the next chance settles it. */
export const unknownAttachment = 'unknown'

/** What a component has to know of its alerts, in one word: who takes them, and by which token. Null for nobody. */
export const attachmentOf = (platform: Pick<PlatformRow, 'uuid' | 'tokenVersion'> | undefined): string | null =>
  platform === undefined ? null : `${platform.uuid}.${platform.tokenVersion}`
