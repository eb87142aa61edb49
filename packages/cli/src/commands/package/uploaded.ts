import type { UploadedPackage } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { bytes } from '../../output/quantities.ts'

/** Its uuid is the data: a script goes on with it. */
export function tellUploaded(cli: Cli, record: UploadedPackage): void {
  const { name, size, md5sum, uuid } = record
  cli.out.text(uuid, record)
  cli.say(`${name} is uploaded: ${bytes(size)}, MD5 ${md5sum}.`)
}
