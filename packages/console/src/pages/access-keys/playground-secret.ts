import type { Secret } from './secret-file.ts'

/** A new key on its way to the playground: in memory alone, so that a secret stands in no address and in no storage. */
let handed: Secret | undefined

export const setPlaygroundSecret = (secret: Secret | undefined): void => {
  handed = secret
}

export const playgroundSecret = (): Secret | undefined => handed
