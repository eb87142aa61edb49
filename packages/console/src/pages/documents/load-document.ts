import type { DocumentName } from './messages.ts'

/** The texts are built into the console, so that they match its version and need no connection elsewhere. */
const files = import.meta.glob<string>('../../../../../docs/*.md', { query: '?raw', import: 'default' })

export async function loadDocument(name: DocumentName): Promise<string> {
  const load = files[`../../../../../docs/${name}.md`]
  if (load === undefined) throw new Error(`docs/${name}.md is not part of this build`)
  return load()
}
