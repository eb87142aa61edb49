/** Declared, so that the document is whole, and not served yet: no route answers for them. */
export const planned: ReadonlySet<string> = new Set<string>()
