import { command } from '../command.ts'
import { identityOf, sourcesOf } from '../identity.ts'

export const whoami = command({
  name: 'whoami',
  summary: 'Show account, user and role of the caller, and where the credential is from',
  more: 'Queries the server. wharf profile show also works without it, and without a credential.',
  examples: ['whoami', 'whoami --profile prod --json'],
  async run(cli) {
    cli.out.record({ ...(await identityOf(cli)), ...sourcesOf(cli) })
  },
})
