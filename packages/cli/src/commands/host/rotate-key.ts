import { command } from '../../command.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { printRecord } from '../../print-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'

export const rotateKey = command({
  name: 'rotate-key',
  summary: 'Replace the SSH key with which Wharf signs in to a host',
  more: 'The new key is installed and tried before the former one is removed from the host.',
  arguments: { '<host>': { help: 'name or uuid', names: 'hosts' } },
  options: jobOptions,
  examples: ['host rotate-key web-1'],
  async run(cli, { host: nameOrUuid }, jobFlags) {
    const { rotateHostKey } = await import('@wharf/contract')
    const { uuid, name } = await resolveRecord(await cli.wharf(), 'hosts', nameOrUuid)
    const label = `Rotating the key of ${name}`
    const answer = await runOperation(cli, rotateHostKey, { uuid }, { ...jobFlags, label })
    if (answer !== undefined) await printRecord(cli, answer.inventory)
  },
})
