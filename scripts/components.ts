import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that the tests use, and the Debian packages that contain them. */
const components = [
  { command: 'openssl', debian: 'openssl' },
  { command: 'curl', debian: 'curl' },
  // hosts with their own network, root folder and sshd
  { command: 'ssh', debian: 'openssh-client' },
  { command: 'sshd', debian: 'openssh-server' },
  { command: 'ip', debian: 'iproute2' },
  { command: 'unshare', debian: 'util-linux' },
  { command: 'ps', debian: 'procps' },
  // announces hosts, as on many systems
  { command: 'avahi-daemon', debian: 'avahi-daemon' },
  // virtual machines, and the inspection of disk images
  { command: 'virsh', debian: 'libvirt-clients' },
  { command: 'libvirtd', debian: 'libvirt-daemon-system' },
  { command: 'qemu-system-x86_64', debian: 'qemu-system-x86' },
  { command: 'qemu-img', debian: 'qemu-utils' },
  // opens the console
  { command: 'chromium', debian: 'chromium' },
  { command: 'chromium-headless-shell', debian: 'chromium-headless-shell' },
  // another implementation of tar
  { command: 'busybox', debian: 'busybox' },
  // checks the Prometheus rules in examples/scaling/
  { command: 'promtool', debian: 'prometheus' },
  // checks the unit in packaging/
  { command: 'systemd-analyze', debian: 'systemd' },
  // balances the load of several nodes
  { command: 'haproxy', debian: 'haproxy' },
  // complete the command
  { command: 'zsh', debian: 'zsh' },
  { command: 'fish', debian: 'fish' },
  // makes system calls fail
  { command: 'strace', debian: 'strace' },
  // clients that keep a server waiting
  { command: 'slowhttptest', debian: 'slowhttptest' },
  // a client in another language, generated from openapi.json
  { command: 'mojo', debian: 'libopenapi-client-perl' },
] as const

/** Installs missing programs where it can, and returns the names of those that are still missing. */
export function ensureComponents(commands: readonly string[] = components.map(({ command }) => command)): string[] {
  const missing = () => components.filter(({ command }) => commands.includes(command) && !isOnPath(command))
  const wanted = missing()
  if (wanted.length === 0) return []
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    const packages = wanted.map(({ debian }) => debian)
    console.log(`Installing ${packages.join(', ')}…`)
    apt(['update'])
    withoutServices(() => apt(['install', '--yes', '--no-install-recommends', ...packages]))
  }
  return missing().map(({ command, debian }) => `${command} (Debian package ${debian})`)
}

/** Folders of servers, which are not on the path of an ordinary user. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin']

function isOnPath(command: string): boolean {
  return [...(process.env.PATH ?? '').split(delimiter), ...serverFolders].some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Debian starts a server when it is installed; the tests start their own. */
function withoutServices(install: () => void): void {
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    install()
  } finally {
    if (isOurs) rmSync(policy)
  }
}

function apt(args: readonly string[]): void {
  spawnSync('apt-get', ['--quiet=2', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
