import { setTimeout as delay } from 'node:timers/promises'
import type { TestHost } from './test-host.ts'

/** The part of a host that is needed: it runs programs. */
type ExecHost = Pick<TestHost, 'exec'>

const maxStartMs = 20_000

/** Settings of a libvirt without systemd and without privileges to delegate. */
const settings = `user="root"
group="root"
security_driver="none"
stdio_handler="file"
cgroup_controllers=[]
namespaces=[]
`

/** /dev is the machine's own, so nothing is removed from it. libvirt ignores a device that it cannot write to. */
const hideKvm = `[ -e /dev/kvm ] || exit 0
: >/run/no-kvm
mount --bind /run/no-kvm /dev/kvm
mount -o remount,bind,ro /dev/kvm`

/**
 * A libvirt of its own in a host with a root folder of its own; it stops with the host. `withoutKvm` hides
 * hardware virtualisation, as on a machine without it.
 */
export async function startLibvirt(host: ExecHost, { withoutKvm = false } = {}): Promise<void> {
  // without sysfs libvirt finds no processor to put a VM on
  await host.exec(`mount -t sysfs sysfs /sys
cat >>/etc/libvirt/qemu.conf <<'END'
${settings}END
rm -rf /etc/libvirt/qemu/*.xml /etc/libvirt/qemu/autostart /var/lib/libvirt/qemu/save`)
  if (withoutKvm) await host.exec(hideKvm)
  await host.exec('libvirtd -d')
  for (const deadline = performance.now() + maxStartMs; ; await delay(50)) {
    const isRunning = await virsh(host, 'list --all').then(
      () => true,
      () => false,
    )
    if (isRunning) return
    if (performance.now() > deadline) throw new Error('libvirtd does not answer')
  }
}

/** Bypasses Wharf, as an administrator of the host does. */
export const virsh = (host: ExecHost, words: string): Promise<string> =>
  host.exec(`virsh --quiet --connect qemu:///system ${words}`)

/** Resolves when this VM prints the text on its serial console. */
export async function waitForConsoleOutput(
  host: ExecHost,
  vmUuid: string,
  text: string,
  withinMs = 20_000,
): Promise<void> {
  const file = `/var/lib/wharf-migration/vms/${vmUuid}/console.log`
  for (const deadline = performance.now() + withinMs; ; await delay(100)) {
    const output = await host.exec(`cat '${file}' 2>/dev/null || true`)
    if (output.includes(text)) return
    if (performance.now() > deadline) throw new Error(`the VM only printed ${JSON.stringify(output)}`)
  }
}
