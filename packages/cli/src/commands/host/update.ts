import { command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { parseInteger, readPrivateKey } from '../../option-values.ts'
import { printRecord } from '../../print-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'

export const update = command({
  name: 'update',
  aliases: ['edit'],
  summary: 'Change a host; another connection is tested before it is saved',
  arguments: { '<host>': { help: 'name or uuid', names: 'hosts' } },
  options: {
    '--name <name>': { help: 'new name' },
    '--description <text>': { help: 'new description; an empty one removes it' },
    '--address <address>': { help: 'host name or IP address' },
    '--port <number>': { help: 'SSH port' },
    '--user <name>': { help: 'SSH user' },
    '--identity <file>': { help: 'SSH private key without a passphrase' },
    '--server-key': { help: 'sign in with the key of the server instead of a private key' },
    '--fingerprint <text>': { help: 'expected host key fingerprint, SHA256:…; see host keys' },
    ...jobOptions,
  },
  examples: ['host update web-1 --name web-2', 'host update web-1 --address 10.0.0.12 --port 2222'],
  async run(cli, { host: nameOrUuid }, options) {
    const { name, description, address, port, user, identity, serverKey, fingerprint, ...jobFlags } = options
    const { updateHost } = await import('@wharf/contract')
    if (serverKey && identity !== undefined) throw new UsageError('use either --identity or --server-key')
    const clear = [
      ...(description === '' ? (['description'] as const) : []),
      ...(serverKey ? (['privateKey'] as const) : []),
    ]
    const change = {
      name,
      description: description === '' ? undefined : description,
      address,
      sshPort: parseInteger('--port', port, { min: 1, max: 65_535 }),
      username: user,
      privateKey: await readPrivateKey(identity, cli),
      hostKeyFingerprint: fingerprint,
      clear: clear.length > 0 ? clear : undefined,
    }
    if (Object.values(change).every((value) => value === undefined))
      throw new UsageError(
        'nothing to change: use --name, --description, --address, --port, --user, --identity, --server-key or --fingerprint; host label changes labels',
      )
    const { uuid, name: current } = await resolveRecord(await cli.wharf(), 'hosts', nameOrUuid)
    const answer = await runOperation(
      cli,
      updateHost,
      { uuid, ...change },
      { ...jobFlags, label: `Updating ${current}` },
    )
    if (answer !== undefined) await printRecord(cli, answer.inventory)
  },
})
