import { command } from '../command.ts'
import { CommandError } from '../errors.ts'
import { passwordOption, promptHidden, readNewPassword } from '../new-password.ts'

export const password = command({
  name: 'password',
  summary: 'Change your own password',
  more: 'Prompts for the current and the new password; ends your other sessions. --password-stdin reads the current password from the first line and the new one from the second.',
  options: passwordOption,
  examples: ['password', 'password --password-stdin < passwords'],
  async run(cli, _, { passwordStdin }) {
    const wharf = await cli.wharf()
    const [oldPassword, newPassword] = passwordStdin
      ? twoLines(await cli.io.readInput())
      : [await promptHidden(cli, 'Current password: '), await readNewPassword(cli, false)]
    const { inventory } = await wharf.identity.changePassword({ oldPassword, password: newPassword })
    cli.report(`Changed the password of ${inventory.name}.`, inventory)
  },
})

function twoLines(text: string): [string, string] {
  const [oldPassword = '', newPassword = '', ...rest] = text.replace(/\r?\n$/, '').split(/\r?\n/)
  if (oldPassword === '' || newPassword === '' || rest.length > 0)
    throw new CommandError('stdin must have two lines: the current password and the new one')
  return [oldPassword, newPassword]
}
