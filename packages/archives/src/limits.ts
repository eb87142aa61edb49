const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB

export const maxEntries = 200_000
/** A name as it is written in the archive; Linux allows 4096, backup tools and other systems far less. */
export const maxNameBytes = 1024
export const maxDepth = 64
/** One part of a name: the limit of the hosts' file systems. */
export const maxPartBytes = 255
/** The memory for all names of an archive, so that an upload cannot exhaust the server's memory. */
export const maxTotalNameBytes = 32 * MiB
/** An extended header of tar. Names, times and attributes of one file take a few hundred bytes. */
export const maxExtensionBytes = 64 * KiB
/** Sections of a sparse file: a badly fragmented disk image has some ten thousand. */
export const maxSparseSections = 1_000_000
/** The length of a sparse file with its holes: the limit of ext4. */
export const maxSparseBytes = 16 * 1024 * GiB
export const maxManifestBytes = MiB
/** Below this much unpacked data any ratio is fine: logs and empty disk images compress very well. */
export const ratioCountsFromBytes = 4 * GiB
export const maxRatio = 200
