import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '@wharf/testkit'
import { usageOf } from '../process-usage.ts'

const port = 2022
/** The last number of an address ends at 255. */
const hostsPerNetwork = 250

export interface SimulatedHosts {
  readonly port: number
  readonly privateKey: string
  /** As in known_hosts, without the name. */
  readonly hostKey: string
  addressOf(index: number): string
  /** What simulating them has cost so far. */
  cpuSeconds(): number
  stop(): void
}

/**
 * Any number of hosts reached by ssh: one sshd on all addresses of a network in which everything of
 * 127.0.0.0/8 leads to this machine. To be called in a network namespace of its own, or other machines could reach it.
 * The hosts share files and processors; each has an address, connections and records of its own.
 */
export async function simulateHosts(folder: string, publicKeys: readonly string[]): Promise<SimulatedHosts> {
  await runProgram('ip', ['link', 'set', 'lo', 'up'])
  const key = join(folder, 'key')
  const hostKey = join(folder, 'host_key')
  for (const file of [key, hostKey]) await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const config = join(folder, 'sshd_config')
  const settings = [
    `ListenAddress 0.0.0.0:${port}`,
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${[`${key}.pub`, ...publicKeys].join(' ')}`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'UseDNS no',
    'StrictModes no',
    'PidFile none',
    // what the user of this machine has in ~/.bashrc is not for its thousand hosts
    `SetEnv HOME=${folder}`,
    // the side of the hosts is to cost little: they share processors with the server that is measured
    'KexAlgorithms curve25519-sha256',
    // what one machine sees is the sum of what a thousand would
    'MaxStartups 10000',
  ]
  appendFileSync(config, `${settings.join('\n')}\n`)
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: 'ignore' })
  return {
    port,
    privateKey: readFileSync(key, 'utf8'),
    hostKey: readFileSync(`${hostKey}.pub`, 'utf8').split(' ').slice(0, 2).join(' '),
    addressOf: (index) => `127.1.${Math.floor(index / hostsPerNetwork)}.${1 + (index % hostsPerNetwork)}`,
    cpuSeconds: () => usageOf(sshd.pid ?? 0).cpuSeconds,
    stop: () => void sshd.kill(),
  }
}
