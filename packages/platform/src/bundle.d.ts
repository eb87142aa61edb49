/** The address of its entry, or undefined when it is missing or a source has changed since. */
export function currentBundle(program: 'server' | 'cli'): string | undefined
export function modificationOf(file: string): number | undefined
