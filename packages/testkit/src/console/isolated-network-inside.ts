import { type AddressInfo, createServer } from 'node:net'
import { runProgram } from '../hosts/test-host.ts'

// The first process of an isolated network: passes a listening socket to its parent and lives until the parent disconnects.
process.on('disconnect', () => process.exit())
await runProgram('ip', ['link', 'set', 'lo', 'up'])
const server = createServer().listen(0, '127.0.0.1', () => {
  // closed here once it is passed on, or this process would accept a share of the connections
  process.send?.((server.address() as AddressInfo).port, server, {}, () => server.close())
})
