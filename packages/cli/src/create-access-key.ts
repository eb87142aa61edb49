import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { CommandError } from './errors.ts'

type NewKey = Awaited<ReturnType<Wharf['accessKeys']['create']>>['inventory']

const maxAttempts = 2

/** The server returns the secret once. When that response is lost, the retry returns the key without its secret. */
export async function createAccessKey(
  cli: Cli,
  wharf: Wharf,
  fields: Parameters<Wharf['accessKeys']['create']>[0],
): Promise<NewKey> {
  for (let attempt = 1; ; attempt++) {
    const { inventory } = await wharf.accessKeys.create(fields)
    const { AccessKeySecret, AccessKeyID, uuid } = inventory
    const hasSecret = AccessKeySecret !== null && AccessKeySecret !== undefined
    if (hasSecret || fields.publicKey !== undefined) return inventory
    await wharf.accessKeys.delete(uuid)
    const lost = `the response with the secret of access key ${AccessKeyID} was lost; the key is deleted`
    if (attempt >= maxAttempts)
      throw new CommandError(lost, 'the connection is unreliable: try again, or from another network')
    cli.info(`${lost}. Creating another one.`)
  }
}
