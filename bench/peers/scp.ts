import type { TestHost } from '@wharf/testkit'
import { run } from '../big-file.ts'

/** Where the copy is on the host. */
export const scpCopy = '/tmp/scp-copy'

export async function copyWithScp(host: TestHost, file: string): Promise<void> {
  const { address, port, username, privateKeyPath } = host
  const trust = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR']
  await run('scp', ['-i', privateKeyPath, '-P', String(port), ...trust, file, `${username}@${address}:${scpCopy}`])
}
