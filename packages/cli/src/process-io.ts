import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodes } from './exit-codes.ts'
import type { Io, Screen } from './io.ts'
import { Refusal } from './refusals.ts'
import { serverFolders } from './settings/server-folders.ts'

/** What this command and the server beside it lie in. */
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** This very process. */
export function processIo(): Io & { flush(): Promise<void> } {
  // whoever reads no further has what they wanted, as in `wharf host list | head -1`
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.ok)
    process.stderr.write(`error: the output cannot be written: ${error.message}\n`)
    process.exit(exitCodes.failed)
  })
  // nobody listens to the words beside the data: the work goes on
  process.stderr.on('error', () => {})
  const around = { env: process.env, home: homedir() }
  return {
    ...around,
    stdout: screenOf(process.stdout),
    stderr: screenOf(process.stderr),
    serverData: serverFolders(root, around).find((folder) => mayRead(join(folder, 'bootstrap.json'))),
    readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
    inputStream: () => process.stdin,
    ask,
    trustCertificates,
    skipCertificateChecks() {
      // Node's own warning about the variable would follow ours
      process.removeAllListeners('warning')
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    },
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
    exitNow: (code) => process.exit(code),
    flush: async () => void (await Promise.all([flushed(process.stdout), flushed(process.stderr)])),
  }
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const screenOf = (stream: NodeJS.WriteStream): Screen => ({
  write: (text) => void stream.write(text),
  get isTTY() {
    return stream.isTTY === true
  },
  get columns() {
    return stream.isTTY ? stream.columns || undefined : undefined
  },
})

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()))

/** For the whole process, so that calls, streams and slices agree. */
function trustCertificates(certificates: readonly string[]): void {
  const tls = createRequire(import.meta.url)('node:tls') as typeof import('node:tls')
  if (tls.setDefaultCACertificates === undefined)
    throw new Refusal(
      `--ca-file needs Node 24.5 or newer, this is ${process.versions.node}`,
      'NODE_EXTRA_CA_CERTS=FILE in the environment does the same for every version of Node',
    )
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...certificates])
}

async function ask(question: string, { hidden = false } = {}): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const [{ createInterface }, { Writable }] = await Promise.all([import('node:readline'), import('node:stream')])
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // not before the terminal is in raw mode: until then it shows what is typed
  process.stderr.write(question)
  // in raw mode Ctrl-C is a key like others
  lines.once('SIGINT', () => process.exit(exitCodes.interrupted))
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
  lines.close()
  if (hidden) process.stderr.write('\n')
  return answer
}
