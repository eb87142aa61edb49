import { readFileSync } from 'node:fs'
import type { ListedHost } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { CommandError, UsageError } from '../../errors.ts'
import { briefError } from '../../for-each-name.ts'

/** A host takes a connection of the server, and programs on both sides. */
const maxConcurrent = 16

interface Defaults {
  readonly username: string
  readonly sshPort: number | undefined
  readonly privateKey: string | undefined
  readonly packagesPath: string | undefined
}

interface Result {
  readonly name: string
  readonly address: string
  readonly result: 'added' | 'failed'
  readonly uuid: string | null
  readonly error: string | null
}

/** Adds the hosts of a CSV file. Nothing is added when a line of it is wrong. */
export async function addListedHosts(cli: Cli, file: string, defaults: Defaults): Promise<void> {
  const hosts = await readFile(cli, file)
  const wharf = await cli.wharf()
  const { addHost } = await import('@wharf/contract')
  const results: Result[] = new Array(hosts.length)
  const progress = cli.progress(`Adding ${hosts.length} hosts`)
  let [next, done] = [0, 0]
  const add = async ({ line: _, ...host }: ListedHost): Promise<Result> => {
    const { name, address } = host
    try {
      const { job, answer } = await wharf.start(addHost, { ...defaults, ...host, driver: 'ssh' })
      const { inventory } = job ? await job.wait() : answer
      return { name, address, result: 'added', uuid: inventory.uuid, error: null }
    } catch (error) {
      return { name, address, result: 'failed', uuid: null, error: briefError(error) }
    }
  }
  const worker = async (): Promise<void> => {
    for (let index = next++; index < hosts.length; index = next++) {
      const host = hosts[index]
      if (host) results[index] = await add(host)
      progress.update({ fraction: ++done / hosts.length, step: host?.name })
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, hosts.length) }, worker))
  progress.end()
  cli.out.list(results, ['name', 'address', 'result', 'error', 'uuid'])
  const failed = results.filter(({ result }) => result === 'failed').map(({ name }) => name)
  if (failed.length > 0)
    throw new CommandError(
      `${failed.length} of ${hosts.length} hosts were not added: ${failed.join(', ')}`,
      'remove the lines of the other hosts from the file, fix these, and run the command again',
    )
}

async function readFile(cli: Cli, file: string): Promise<readonly ListedHost[]> {
  const { HostListError, readHostList } = await import('@wharf/sdk')
  try {
    return readHostList(file === '-' ? await cli.io.readInput() : readFileSync(file, 'utf8'))
  } catch (error) {
    const { message } = error as Error
    if (error instanceof HostListError)
      throw new UsageError(`${file} is not a list of hosts, so nothing was added:\n${message}`)
    throw new UsageError(`cannot read ${file}: ${message}`)
  }
}
