import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Real programs that the tests talk to, and the Debian packages that bring them. */
const components = [
  { command: 'openssl', debian: 'openssl' },
  { command: 'curl', debian: 'curl' },
  // hosts with networks, root folders and sshds of their own
  { command: 'ssh', debian: 'openssh-client' },
  { command: 'sshd', debian: 'openssh-server' },
  { command: 'ip', debian: 'iproute2' },
  { command: 'unshare', debian: 'util-linux' },
  { command: 'ps', debian: 'procps' },
  // announces hosts, as it does on many systems already
  { command: 'avahi-daemon', debian: 'avahi-daemon' },
  // virtual machines, and what says whether an image is one
  { command: 'virsh', debian: 'libvirt-clients' },
  { command: 'libvirtd', debian: 'libvirt-daemon-system' },
  { command: 'qemu-system-x86_64', debian: 'qemu-system-x86' },
  { command: 'qemu-img', debian: 'qemu-utils' },
  // opens the console as a person does
  { command: 'chromium', debian: 'chromium' },
  { command: 'chromium-headless-shell', debian: 'chromium-headless-shell' },
  // a tar of another make
  { command: 'busybox', debian: 'busybox' },
  // judges the rules that examples/scaling/ has for Prometheus
  { command: 'promtool', debian: 'prometheus' },
  // judges the unit in packaging/
  { command: 'systemd-analyze', debian: 'systemd' },
  // stands in front of several nodes
  { command: 'haproxy', debian: 'haproxy' },
  // makes system calls fail
  { command: 'strace', debian: 'strace' },
  // clients that keep a server waiting
  { command: 'slowhttptest', debian: 'slowhttptest' },
  // a client of another language, made from openapi.json
  { command: 'mojo', debian: 'libopenapi-client-perl' },
] as const

/** Installs what is missing where that is possible. What is left over is named, for a person to see or CI to fail on. */
export function ensureComponents(commands: readonly string[] = components.map(({ command }) => command)): string[] {
  const missing = () => components.filter(({ command }) => commands.includes(command) && !isOnPath(command))
  const wanted = missing()
  if (wanted.length === 0) return []
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    const packages = wanted.map(({ debian }) => debian)
    console.log(`Installing ${packages.join(', ')}…`)
    apt(['update'])
    withoutStarting(() => apt(['install', '--yes', '--no-install-recommends', ...packages]))
  }
  return missing().map(({ command, debian }) => `${command} (Debian package ${debian})`)
}

/** Servers lie where the path of an ordinary user does not lead. */
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

/** Debian starts a server when it is installed. The tests start their own; this machine gets none from them. */
function withoutStarting(install: () => void): void {
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
