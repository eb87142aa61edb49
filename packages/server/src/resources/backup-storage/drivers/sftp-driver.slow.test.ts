import { Secret } from '@wharf/platform/secret.ts'
import { startSftpStorage, storageDriverContract } from '@wharf/testkit'
import { SftpDriver } from './sftp-driver.ts'

/** A command, which carries them, may not be longer. */
const pieceBytes = 90_000
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

storageDriverContract('sftp', async (t) => {
  const { host, username, folder, root, contents } = await startSftpStorage(t)
  const open = (port: number): SftpDriver => {
    const driver = new SftpDriver({
      ...host,
      port,
      username,
      root,
      privateKey: Secret.of(host.privateKey),
      onlyThisKey: true,
      configFile: 'none',
      storage: 'backup storage test',
    })
    t.after(() => driver.close())
    return driver
  }
  return {
    driver: open(host.port),
    unreachable: open(1),
    contents,
    place: async (path, bytes) => {
      const target = quoted(`${folder}/${path}`)
      await host.exec(`mkdir -p "$(dirname -- ${target})"; : >${target}; chown -R ${username} ${folder}`)
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const piece = bytes.subarray(at, at + pieceBytes).toString('base64')
        await host.exec(`base64 -d >>${target} <<END\n${piece}\nEND`)
      }
    },
    reportsCapacity: true,
  }
})
