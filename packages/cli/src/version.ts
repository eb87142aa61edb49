import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version

/** The name of this program in sessions and audit entries. */
export const userAgent = `wharf/${version}`
