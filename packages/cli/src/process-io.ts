import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io, OutputStream } from './io.ts'
import { serverFolders } from './settings/server-folders.ts'

/** The root of the installation. */
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The environment of this process. */
export function processIo(): Io {
  // the reader has enough, as in `wharf host list | head -1`
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.ok)
    process.stderr.write(`error: cannot write the output: ${error.message}\n`)
    process.exit(exitCodes.failed)
  })
  // a closed stderr must not stop the command
  process.stderr.on('error', () => {})
  const environment = { env: process.env, home: homedir() }
  return {
    ...environment,
    stdout: outputStreamOf(process.stdout),
    stderr: outputStreamOf(process.stderr),
    serverData: serverFolders(root, environment).find((folder) => isReadable(join(folder, 'bootstrap.json'))),
    readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
    inputStream: () => process.stdin,
    prompt,
    trustCertificates,
    skipCertificateChecks() {
      // Node's own warning would repeat ours
      process.removeAllListeners('warning')
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    },
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
    openUrl,
    exitNow: (code) => process.exit(code),
    flush: async () => void (await Promise.all([flushed(process.stdout), flushed(process.stderr)])),
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const outputStreamOf = (stream: NodeJS.WriteStream): OutputStream => ({
  write: (text) => void stream.write(text),
  get isTTY() {
    return stream.isTTY === true
  },
  get columns() {
    return stream.isTTY ? stream.columns || undefined : undefined
  },
  get rows() {
    return stream.isTTY ? stream.rows || undefined : undefined
  },
})

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()))

/** For the whole process, so that it applies to calls, streams and slices. */
function trustCertificates(certificates: readonly string[]): void {
  const tls = createRequire(import.meta.url)('node:tls') as typeof import('node:tls')
  if (tls.setDefaultCACertificates === undefined)
    throw new CommandError(
      `--ca-file requires Node 24.5 or newer; this is Node ${process.versions.node}`,
      'set NODE_EXTRA_CA_CERTS=FILE instead, which works with every version of Node',
    )
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...certificates])
}

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', linux: 'xdg-open' }

async function openUrl(url: string): Promise<boolean> {
  const opener = openers[process.platform]
  // xdg-open without a desktop would start a browser in this terminal
  const hasDesktop = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  if (opener === undefined || !hasDesktop) return false
  const { spawn } = await import('node:child_process')
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

async function prompt(question: string, { hidden = false } = {}): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const [{ createInterface }, { Writable }] = await Promise.all([import('node:readline'), import('node:stream')])
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // after raw mode is set: before, the terminal echoes input
  process.stderr.write(question)
  // raw mode delivers Ctrl-C as a key
  lines.once('SIGINT', () => process.exit(exitCodes.interrupted))
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
  lines.close()
  if (hidden) process.stderr.write('\n')
  return answer
}
