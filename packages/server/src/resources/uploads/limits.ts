const KiB = 1024
const MiB = 1024 * KiB
const hourMs = 60 * 60 * 1000

/** A slice stays under the 100 MB that reverse proxies commonly allow a request body. */
export const maxSliceBytes = 64 * MiB

/** An upload ends when no slice has arrived for this long: a weekend, and a day to notice. */
export const idleUploadMs = 72 * hourMs

/** An upload ends this long after it was opened, however often slices arrive: its URL is a credential. */
export const maxUploadMs = 7 * 24 * hourMs

/** A client that sends nothing for this long is considered disconnected. The bytes that have arrived are kept. */
export const silentClientMs = 120_000

/** The rest of a refused slice is read and discarded for this long, so that its client reads the refusal. */
export const discardMs = 30_000

/** Ended and finished uploads are kept this long; after that the signature alone shows that an upload existed. */
export const keepEndedMs = 7 * 24 * hourMs

/** Buffers of 1 MiB shared with the hashing thread, for all uploads together. Twice as many are some 3% faster. */
export const bufferCount = 8

/** At most this many bytes of a running upload are not synced yet. */
export const syncEveryBytes = 32 * MiB
