import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Free now; nothing keeps others from it. With `wanted`, that one, or it throws. */
export async function freePort(address: string, wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, address)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
