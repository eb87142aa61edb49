const { spawnSync } = require('node:child_process')
const { writeSync } = require('node:fs')
const { connect } = require('node:net')

const connectMs = 4000

/** `npm ci` empties node_modules and then retries for minutes. One of the addresses must accept a connection. */
function checkRegistry(addresses) {
  const { stdout } = spawnSync(process.execPath, [__filename, ...addresses], { encoding: 'utf8' })
  if (stdout === '') return
  throw new Error(
    `the npm registry cannot be reached (${stdout}); connect this machine to it, or build the offline tarball on a ` +
      'machine that is: npm run pack:offline, see docs/operating.md',
  )
}

/** The limit is for the connection alone: programs may take seconds to start on a busy machine. */
function reach({ protocol, hostname, port }) {
  const socket = connect({
    host: hostname.replace(/[[\]]/g, ''),
    port: Number(port) || (protocol === 'http:' ? 80 : 443),
  })
  return new Promise((resolve, reject) => {
    socket.setTimeout(connectMs, () => reject(new Error(`${hostname}: no answer within ${connectMs / 1000} s`)))
    socket.once('connect', resolve).once('error', ({ code }) => reject(new Error(`${hostname}: ${code}`)))
  }).finally(() => socket.destroy())
}

/** Runs as a separate process, because a process waits at exit for its name lookups, which may take much longer. */
async function report(addresses) {
  await Promise.any(addresses.map((address) => reach(new URL(address)))).catch(({ errors }) => {
    writeSync(1, errors.map(({ message }) => message).join(', '))
  })
  process.kill(process.pid, 'SIGKILL')
}

if (require.main === module) report(process.argv.slice(2))

module.exports = { checkRegistry }
