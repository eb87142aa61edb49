import { zipOf } from './archives/zip-builder.ts'

/** A package of these files as a zip; those that end in .sh are programs. */
export const zipped = (files: Readonly<Record<string, Buffer | string>>): Buffer =>
  zipOf(Object.entries(files).map(([name, data]) => ({ name, data, mode: name.endsWith('.sh') ? 0o100755 : 0o100644 })))
