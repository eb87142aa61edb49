import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { imageArchitecture } from './domain-xml.ts'

/** Where VMs are on a host and how libvirt is reached, which depends on the user that Wharf signs in as. */
export interface HostLayout {
  readonly uri: 'qemu:///system' | 'qemu:///session'
  /** Contains all files of Wharf's VMs on the host. */
  readonly folder: string
  readonly hasKvm: boolean
}

/**
 * Prints the user ID, the home folder, and whether /dev/kvm can be opened. KVM cannot run images of another processor
 * architecture: see domain-xml.ts.
 */
const script = `
id -u
printf '%s\\n' "\${HOME:-/}"
if [ "$(uname -m)" = ${imageArchitecture} ] && [ -c /dev/kvm ] && (: <>/dev/kvm) 2>/dev/null; then echo yes; else echo no; fi`

export async function detectLayout(driver: HostDriver, signal: AbortSignal): Promise<HostLayout> {
  const lines: string[] = []
  await driver.run(['sh', '-c', script], {
    signal,
    onLine: (line, stream) => {
      if (stream === 'stdout' && lines.length < 3) lines.push(line)
    },
  })
  const [uid = '', home = '', kvm] = lines
  if (!/^\d+$/.test(uid) || !home.startsWith('/'))
    throw new ApiError('SYS.1016', 'the host does not report its user ID and home folder')
  const hasKvm = kvm === 'yes'
  return uid === '0'
    ? { uri: 'qemu:///system', folder: '/var/lib/wharf-migration', hasKvm }
    : { uri: 'qemu:///session', folder: `${home.replace(/\/+$/, '')}/.local/share/wharf-migration`, hasKvm }
}

export const vmFolder = ({ folder }: HostLayout, uuid: string): string => `${folder}/vms/${uuid}`

export const imagePath = ({ folder }: HostLayout, image: { uuid: string }): string => `${folder}/images/${image.uuid}`

/** The user that runs the VMs may enter the folder but not list it. */
export async function makeFolder(driver: HostDriver, folder: string, signal: AbortSignal): Promise<void> {
  const output: string[] = []
  const { exitCode } = await driver.run(['sh', '-c', 'umask 066; mkdir -p -- "$1"', 'wharf', folder], {
    signal,
    onLine: (line) => void output.push(line),
  })
  if (exitCode !== 0)
    throw new ApiError('SYS.1016', `the host could not create ${folder}: ${output.slice(0, 5).join('; ')}`)
}
