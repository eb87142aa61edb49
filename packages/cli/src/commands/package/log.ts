import { command } from '../../command.ts'
import { writeLog } from '../../job-log.ts'
import { resolveUuid } from '../../names/resolve.ts'
import { Refusal } from '../../refusals.ts'

export const log = command({
  name: 'log',
  summary: 'Show what the last job of a package has said',
  arguments: { '<package>': { help: 'its name or uuid', names: 'softwarePackages' } },
  options: { '-f, --follow': { help: 'go on until the job ends; JSON is one object per line then' } },
  examples: ['package log hello', 'package log -f hello'],
  async run(cli, { package: name }, { follow }) {
    const wharf = await cli.wharf()
    const uuid = await resolveUuid(wharf, 'softwarePackages', name)
    const { inventories = [] } = await wharf.jobs.query({ q: [`subjectUuid=${uuid}`], sort: '-createDate', limit: 1 })
    const job = inventories[0]?.uuid
    if (job === undefined) throw new Refusal(`there was no job yet with ${name}`)
    await writeLog(cli, job, follow ?? false)
  },
})
