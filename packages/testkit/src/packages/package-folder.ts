import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For packages on the machine of the server: not beside its data, which may be below /dev, where none is stored. */
export function packageFolder(t: { after(work: () => Promise<void>): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-packages-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
