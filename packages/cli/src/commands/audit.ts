import { command, type GroupSpec } from '../command.ts'
import { exportCommand } from './audit/export.ts'
import { list } from './audit/list.ts'
import { show } from './audit/show.ts'
import { tail } from './audit/tail.ts'
import { verify } from './audit/verify.ts'

const key = command({
  name: 'key',
  summary: 'Print the public key that verifies the trail',
  more: 'Keep it outside of the machines that run Wharf: a verification proves as much as the key is trusted.',
  examples: ['audit key', 'audit key > wharf-audit.pem'],
  async run(cli) {
    const { publicKey } = await (await cli.wharf()).auditDigests.publicKey()
    cli.out.text(publicKey, { publicKey })
  },
})

export const audit: GroupSpec = {
  name: 'audit',
  summary: 'Read, export and verify the audit trail',
  commands: [list, show, tail, exportCommand, key, verify],
}
