import type { Wharf } from '@wharf/sdk'
import { CommandError } from './errors.ts'

/** The default node: the only one that is alive. */
export async function onlyNode(wharf: Wharf, remedy: string): Promise<string> {
  const { inventories = [] } = await wharf.managementNodes.query({ q: ['status=Alive'], limit: 2 })
  const uuid = inventories[0]?.uuid
  if (uuid === undefined) throw new CommandError('no management node is alive')
  if (inventories.length > 1) throw new CommandError('there are several management nodes', remedy)
  return uuid
}
