import { command } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { logOptions, printJobLog } from '../../job-log.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { newestPackageJob } from './newest-job.ts'

export const log = command({
  name: 'log',
  summary: 'Show the log of the last job of a package',
  arguments: { '<package>': { help: 'name or uuid', names: 'softwarePackages' } },
  options: logOptions,
  examples: ['package log hello', 'package log -f --timestamps hello'],
  async run(cli, { package: name }, flags) {
    const wharf = await cli.wharf()
    const uuid = await resolveUuid(wharf, 'softwarePackages', name)
    const { uuid: jobUuid, operation = '' } = (await newestPackageJob(wharf, uuid)) ?? {}
    if (jobUuid === undefined) throw new CommandError(`package ${name} has no jobs`)
    await printJobLog(cli, { uuid: jobUuid, operation }, flags)
  },
})
