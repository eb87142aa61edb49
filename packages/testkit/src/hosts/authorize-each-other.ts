import type { TestHost } from './test-host.ts'

/** Installs keys so that every host signs in to every other without a prompt. */
export async function authorizeEachOther(hosts: readonly TestHost[]): Promise<void> {
  const known = hosts.map(({ address, hostKey }) => `${address} ${hostKey}\n`).join('')
  await Promise.all(
    hosts.map((host) =>
      host.exec(`mkdir -p /root/.ssh && umask 077 && cat >/root/.ssh/id_ed25519 <<'KEY' && cat >/root/.ssh/known_hosts <<'KNOWN'
${host.privateKey}KEY
${known}KNOWN
`),
    ),
  )
}
