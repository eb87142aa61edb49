import type { Secret } from './secret-file.ts'

/** Passes a new key to the playground in memory, so that the secret is in no URL and no storage. */
let handed: Secret | undefined

export const setPlaygroundSecret = (secret: Secret | undefined): void => {
  handed = secret
}

export const playgroundSecret = (): Secret | undefined => handed
