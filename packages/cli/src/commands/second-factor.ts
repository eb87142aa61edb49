import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { promptHidden } from '../new-password.ts'
import { promptSecondFactor, recoveryCodesText, showEnrolment } from '../second-factor.ts'

const show = command({
  name: 'show',
  summary: 'Show your second factors',
  examples: ['second-factor show', 'second-factor show --json'],
  async run(cli) {
    const { inventory } = await (await cli.wharf()).secondFactors.get()
    cli.out.record(inventory)
  },
})

const enrol = command({
  name: 'enrol',
  aliases: ['enroll'],
  summary: 'Add an authenticator app, which each of your sign-ins then requires',
  more: 'Prompts for your password, shows the secret for the app, and prompts for its first code. Access keys need no second factor.',
  examples: ['second-factor enrol'],
  async run(cli) {
    const { secondFactors } = await cli.wharf()
    const password = await promptPassword(cli)
    showEnrolment(cli, await secondFactors.enrolAuthenticator({ password }))
    const code = await promptSecondFactor(cli, 'Code that the app shows: ')
    const { recoveryCodes } = await secondFactors.confirmAuthenticator({ code })
    showRecoveryCodes(cli, 'Added the authenticator app.', recoveryCodes)
  },
})

const recoveryCodes = command({
  name: 'recovery-codes',
  summary: 'Replace your recovery codes and show the new ones, once',
  examples: ['second-factor recovery-codes'],
  async run(cli) {
    const { secondFactors } = await cli.wharf()
    const password = await promptPassword(cli)
    const created = await secondFactors.createRecoveryCodes({ password })
    showRecoveryCodes(cli, 'Replaced the recovery codes.', created.recoveryCodes)
  },
})

const remove = command({
  name: 'remove',
  summary: 'Remove your authenticator app',
  more: 'Prompts for a code of the app or a recovery code. For another user: wharf user remove-second-factors.',
  examples: ['second-factor remove'],
  async run(cli) {
    const { secondFactors } = await cli.wharf()
    await secondFactors.removeAuthenticator({ secondFactor: await promptSecondFactor(cli) })
    cli.report('Removed the authenticator app.', { removed: true })
  },
})

const promptPassword = (cli: Cli): Promise<string> =>
  promptHidden(cli, 'Password: ', 'run the command on a terminal, or use My account in the console')

function showRecoveryCodes(cli: Cli, message: string, recoveryCodes: readonly string[] | null): void {
  cli.report(message, { recoveryCodes })
  if (recoveryCodes !== null) cli.io.stderr.write(recoveryCodesText(recoveryCodes))
}

export const secondFactor: GroupSpec = {
  name: 'second-factor',
  summary: 'Manage your second factor: authenticator app and recovery codes',
  commands: [show, enrol, recoveryCodes, remove],
}
