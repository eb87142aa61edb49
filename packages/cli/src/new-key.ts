import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { Refusal } from './refusals.ts'

type NewKey = Awaited<ReturnType<Wharf['accessKeys']['create']>>['inventory']

const tries = 2

/** The secret is told once. When that answer got lost, the repeated call knows the key and not its secret: it is of no use. */
export async function makeKey(
  cli: Cli,
  wharf: Wharf,
  fields: Parameters<Wharf['accessKeys']['create']>[0],
): Promise<NewKey & { AccessKeySecret: string }> {
  for (let attempt = 1; ; attempt++) {
    const { inventory } = await wharf.accessKeys.create(fields)
    const { AccessKeySecret, AccessKeyID, uuid } = inventory
    if (AccessKeySecret !== null && AccessKeySecret !== undefined) return { ...inventory, AccessKeySecret }
    await wharf.accessKeys.delete(uuid)
    const lost = `the answer with the secret of access key ${AccessKeyID} was lost on its way; the key is deleted`
    if (attempt >= tries) throw new Refusal(lost, 'the connection loses answers: try again, or from elsewhere')
    cli.say(`${lost}. Making another one.`)
  }
}
