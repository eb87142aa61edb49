import { command } from '../command.ts'
import { nameInUse } from '../settings/connection.ts'
import { Profiles } from '../settings/profiles.ts'

export const logout = command({
  name: 'logout',
  summary: 'End the session of a profile and forget its credential',
  more: 'The profile itself stays. An access key is forgotten here and stays valid: wharf key delete ends it.',
  examples: ['logout', 'logout --profile prod'],
  async run(cli) {
    const profiles = new Profiles(cli.io)
    const name = cli.flags.profile ?? nameInUse(cli.io)
    const credential = name === undefined ? undefined : profiles.credentialOf(name)
    if (name === undefined || credential === undefined) {
      cli.say('You are not signed in.')
      if (cli.out.form !== 'table') cli.out.record({ profile: name ?? null, signedOut: false })
      return
    }
    const { url } = profiles.get(name) ?? {}
    // a server that is away cannot end it; the session ends by itself then
    if (credential.session !== undefined && url !== undefined) {
      const nobody = await cli.anonymous(url)
      await nobody.sessions.logOut(credential.session).catch((error: Error) => cli.say(`${error.message}`))
    }
    profiles.dropCredential(name)
    cli.say(`Signed out of profile ${name}.`)
    if (cli.out.form !== 'table') cli.out.record({ profile: name, signedOut: true })
  },
})
