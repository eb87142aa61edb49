import { command } from '../command.ts'
import { identityOf, sourcesOf } from '../identity.ts'

export const whoami = command({
  name: 'whoami',
  summary: 'Show the account, user, role and scope of the caller, and the source of the credential',
  more: 'Queries the server. wharf profile show works without a server and without a credential.',
  examples: ['whoami', 'whoami --profile prod --json'],
  async run(cli) {
    cli.out.record({ ...(await identityOf(cli)), ...sourcesOf(cli) })
  },
})
