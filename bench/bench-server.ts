import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerProcess } from '@wharf/testkit'

/** A folder that is removed when the bench ends, also when it fails. */
export function temporaryFolder(cleanup: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A server with its default settings, killed at the end of the bench; it is not started yet. */
export function createServerProcess(
  cleanup: AsyncDisposableStack,
  data: string,
  more: Record<string, string> = {},
): ServerProcess {
  const server = new ServerProcess({ WHARF_DATA: data, WHARF_PORT: '0', ...more })
  cleanup.defer(() => server.kill())
  return server
}

/** The same with a filled database, which requires one earlier start; it is not running. */
export async function filledServer(
  cleanup: AsyncDisposableStack,
  fill: (file: string) => void,
  more: Record<string, string> = {},
): Promise<ServerProcess & { readonly file: string }> {
  const folder = temporaryFolder(cleanup)
  const server = createServerProcess(cleanup, folder, more)
  await server.start()
  await server.stop()
  const file = join(folder, 'wharf.db')
  fill(file)
  return Object.assign(server, { file })
}
