import { hostDriverContract, hostsNeedRoot, sampled, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'

for (const shell of sampled(['/bin/bash', '/bin/dash'] as const)) {
  hostDriverContract(`ssh, with ${shell} as login shell`, async (t) => {
    const [host] = (await startHosts(t, 1, { shell })) as [TestHost]
    // as on Red Hat and its kin; a host without a root folder of its own keeps what this machine has
    if (shell === '/bin/dash' && !hostsNeedRoot) await host.exec('ln -sf bash /bin/sh')
    const driver = sshDriverOf(t, host)
    const folder = (await host.exec('mktemp -d /var/tmp/wharf-ssh-XXXXXX')).trim()
    t.after(async () => void (await host.exec(`rm -rf ${folder}`)))
    return { driver, folder, exec: (script) => host.exec(script) }
  })
}
