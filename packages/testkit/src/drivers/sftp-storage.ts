import { hostsNeedRoot, startHosts } from '../hosts/hosts.ts'
import type { TestHost } from '../hosts/test-host.ts'

/** Where possible, an account confined to a folder and to SFTP, as a careful operator sets it up. */
const jail = hostsNeedRoot ? '' : '/srv/jail'
const sshd = ['ForceCommand internal-sftp', ...(jail === '' ? [] : [`ChrootDirectory ${jail}`])]

export interface SftpStorage {
  readonly host: TestHost
  readonly username: string
  /** Its root as the host sees it, for `host.exec`. */
  readonly folder: string
  /** The same as the SFTP account sees it. */
  readonly root: string
  /** Files, and folders that are empty. */
  contents(): Promise<string[]>
}

/** A host that stores files for an SFTP account. */
export async function startSftpStorage(t: { after(work: () => Promise<void>): void }): Promise<SftpStorage> {
  const [host] = await startHosts(t, 1, { sshd })
  if (host === undefined) throw new Error('no host was started')
  const username = jail === '' ? host.username : 'keeper'
  const folder = jail === '' ? (await host.exec('mktemp -d /var/tmp/wharf-sftp-XXXXXX')).trim() : `${jail}/packages`
  if (jail === '') t.after(async () => void (await host.exec(`rm -rf ${folder}`)))
  // a password of '!' would be an account that is locked
  else
    await host.exec(
      `useradd --no-create-home --password '*' ${username}; mkdir -p ${folder}; chown ${username} ${folder}`,
    )
  const list = `cd ${folder} && find . -mindepth 1 '(' -type f -o -type d -empty ')' -printf '%P\\n'`
  const contents = async (): Promise<string[]> =>
    (await host.exec(list))
      .split('\n')
      .filter((line) => line !== '')
      .toSorted()
  return { host, username, folder, root: folder.slice(jail.length), contents }
}
