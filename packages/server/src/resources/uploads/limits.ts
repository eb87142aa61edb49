const KiB = 1024
const MiB = 1024 * KiB
const hourMs = 60 * 60 * 1000

/** A slice stays under the 100 MB that reverse proxies commonly allow a request body. */
export const maxSliceBytes = 64 * MiB

/** An upload ends when no slice has come for this long: a weekend, and a day to notice. */
export const idleUploadMs = 72 * hourMs

/** An upload ends this long after it was opened, however often slices come: its address is a credential. */
export const maxUploadMs = 7 * 24 * hourMs

/** A client that sends nothing for this long has gone, whatever the connection says. What came is kept. */
export const silentClientMs = 120_000

/** The rest of a slice that was refused is let through for so long, so that its sender reads the refusal. */
export const discardMs = 30_000

/** Ended and finished uploads are remembered this long; the signature tells them from unknown ones for ever. */
export const rememberEndedMs = 7 * 24 * hourMs

/** Slots that the hashing thread shares with us, for all uploads together. Twice as many are some 3 % faster. */
export const slotBytes = MiB
export const slotCount = 8

/** So much of an upload waits to be synced while it runs. */
export const syncEveryBytes = 32 * MiB
