const { connect } = require('node:net')

const connectMs = 5000

/** `npm ci` empties node_modules and then retries for minutes. */
async function checkRegistry(addresses) {
  const attempts = addresses.map(reach)
  await Promise.any(attempts).catch(({ errors }) => {
    throw new Error(
      `the npm registry cannot be reached (${errors.map(({ message }) => message).join(', ')}); connect this machine to ` +
        'it, or make the offline tarball on a machine that is: npm run pack:offline, see docs/operating.md',
    )
  })
}

/** The time is that of the connection alone: npm itself may take seconds to start on a busy machine. */
function reach({ protocol, hostname, port }) {
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'http:' ? 80 : 443),
  })
  return new Promise((resolve, reject) => {
    socket.setTimeout(connectMs, () => reject(new Error(`${hostname}: no answer within ${connectMs / 1000} s`)))
    socket.once('connect', resolve).once('error', ({ code }) => reject(new Error(`${hostname}: ${code}`)))
  }).finally(() => socket.destroy())
}

module.exports = { checkRegistry }
