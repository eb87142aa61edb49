import type { TestHost } from '../hosts/test-host.ts'
import { file, tarOf } from './archives/tar-builder.ts'

/** Leaves a line in /var/lib/cluster/trace: its name and its input. */
const trace = (name: string): string => `
mkdir -p /var/lib/cluster/data
input=$(cat)
printf '%s %s\\n' ${name} "$input" >>/var/lib/cluster/trace`

const hooks: Record<string, string> = {
  install: 'cat >/dev/null',
  uninstall: 'cat >/dev/null',
  initialise: `${trace('initialise')}
if rm /var/lib/cluster/fail-once 2>/dev/null; then echo 'the disk is full'; exit 3; fi
for node in $(cat /var/lib/cluster/visit 2>/dev/null); do
  ssh -n -o BatchMode=yes -o ConnectTimeout=2 "$node" true
done`,
  check: trace('check'),
  token: `${trace('token')}
[ ! -e /var/lib/cluster/fail-token ] || exit 6
echo '::result {"token": "the-token"}'`,
  alerts: `[ ! -e /var/lib/cluster/fail-alerts ] || exit 4
${trace('alerts')}`,
}

/** A package that imitates a cluster: every hook records its input. */
export function clusterPackage(): Buffer {
  const run = (name: string) => ({ run: [`./${name}.sh`] })
  const manifest = {
    name: 'cluster',
    version: '1',
    type: 'storage',
    install: run('install'),
    uninstall: run('uninstall'),
    cluster: { initialise: run('initialise'), token: run('token'), alerts: run('alerts'), check: run('check') },
  }
  const programs = Object.entries(hooks).map(([name, text]) => ({
    ...file(`${name}.sh`, `#!/bin/sh\nset -eu\n${text}\n`),
    mode: 0o755,
  }))
  return tarOf(file('wharf.json', JSON.stringify(manifest)), ...programs)
}

/** What to configure on these three hosts, the first of which has the package. */
export function clusterOn(machines: readonly TestHost[]) {
  const [managementIp = '', ...otherManagementIp] = machines.map(({ address }) => address)
  const cidr = `${managementIp.split('.').slice(0, 2).join('.')}.0.0/16`
  const networks = { managementNetworkCidr: cidr, publicNetworkCidr: cidr, clusterNetworkCidr: cidr }
  return { managementIp, otherManagementIp, ...networks }
}
