import { command } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { printJobLog } from '../../job-log.ts'
import { resolveUuid } from '../../names/resolve-record.ts'

export const log = command({
  name: 'log',
  summary: 'Show the log of the last job of a package',
  arguments: { '<package>': { help: 'name or uuid', names: 'softwarePackages' } },
  options: { '-f, --follow': { help: 'follow until the job ends; JSON is one object per line' } },
  examples: ['package log hello', 'package log -f hello'],
  async run(cli, { package: name }, { follow }) {
    const wharf = await cli.wharf()
    const uuid = await resolveUuid(wharf, 'softwarePackages', name)
    const { newestJobUuid } = await import('@wharf/sdk')
    const job = await newestJobUuid(wharf, uuid)
    if (job === undefined) throw new CommandError(`package ${name} has no jobs`)
    await printJobLog(cli, job, follow ?? false)
  },
})
