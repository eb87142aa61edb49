import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { imageArchitecture } from './domain-xml.ts'

/** Where and how VMs live on a host, which depends on who we are there. */
export interface HostPlace {
  readonly uri: 'qemu:///system' | 'qemu:///session'
  /** Everything of ours on the host is below it. */
  readonly folder: string
  readonly hasKvm: boolean
}

/**
 * Prints who we are, where our own files belong, and whether the processor's help may be used, which shows by trying. A
 * processor of another make cannot help: see domain-xml.ts.
 */
const script = `
id -u
printf '%s\\n' "\${HOME:-/}"
if [ "$(uname -m)" = ${imageArchitecture} ] && [ -c /dev/kvm ] && (: <>/dev/kvm) 2>/dev/null; then echo yes; else echo no; fi`

export async function placeOn(driver: HostDriver, signal: AbortSignal): Promise<HostPlace> {
  const lines: string[] = []
  await driver.run(['sh', '-c', script], {
    signal,
    onLine: (line, stream) => {
      if (stream === 'stdout' && lines.length < 3) lines.push(line)
    },
  })
  const [uid = '', home = '', kvm] = lines
  if (!/^\d+$/.test(uid) || !home.startsWith('/'))
    throw new ApiError('SYS.1016', 'the host does not say who we are there')
  const hasKvm = kvm === 'yes'
  return uid === '0'
    ? { uri: 'qemu:///system', folder: '/var/lib/wharf-migration', hasKvm }
    : { uri: 'qemu:///session', folder: `${home.replace(/\/+$/, '')}/.local/share/wharf-migration`, hasKvm }
}

export const vmFolder = ({ folder }: HostPlace, uuid: string): string => `${folder}/vms/${uuid}`

export const imagePath = ({ folder }: HostPlace, image: { uuid: string }): string => `${folder}/images/${image.uuid}`

/** Those that run the VMs must get in, also when they are somebody else, but need not look around. */
export async function makeFolder(driver: HostDriver, folder: string, signal: AbortSignal): Promise<void> {
  const said: string[] = []
  const { exitCode } = await driver.run(['sh', '-c', 'umask 066; mkdir -p -- "$1"', 'wharf', folder], {
    signal,
    onLine: (line) => void said.push(line),
  })
  if (exitCode !== 0)
    throw new ApiError('SYS.1016', `the host could not make ${folder}: ${said.slice(0, 5).join('; ')}`)
}
