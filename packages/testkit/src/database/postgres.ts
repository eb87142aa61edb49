import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lchownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { temporaryFolder } from '../temporary-folder.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { copyRunning } from './postgres-standby.ts'

export interface PostgresOptions {
  /** Off by default: tests kill Wharf, not the machine. Benchmarks turn it on. */
  readonly fsync?: boolean
  /** Give an address on the loopback interface, with a password, instead of the socket. */
  readonly tcp?: boolean
  /** Start as a copy of this one, which is reached by TCP, and follow it. */
  readonly standbyOf?: PostgresServer
}

export interface PostgresServer {
  /** The superuser's address of the database `postgres`. */
  readonly url: string
  /** The folder with its files. */
  readonly data: string
  /** Creates an empty database and returns its URL. */
  createDatabase(name?: string): Promise<string>
  /** Stops, cutting every connection, until `resume`. The modes are those of `pg_ctl stop -m`. */
  halt(mode?: 'fast' | 'immediate'): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const asRoot = process.getuid?.() === 0
/** PostgreSQL refuses to run as root; this is `nobody`. */
const unprivileged = asRoot ? { uid: 65_534, gid: 65_534 } : {}
/** Nothing survives a crash of the machine, and the many databases of a run, which live for seconds, are not vacuumed. */
const volatileSettings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }
const maxSocketPathBytes = 107
const maxStartMs = 60_000

/**
 * The server must not outlive the process that started it, however that one ends. This shell therefore waits for the
 * end of its standard input, which we keep open, then stops the server (SIGQUIT: at once, nothing here is kept) and
 * removes the folder, its $0, unless the server is only halted.
 */
const supervisor = `
exec 3<&0
"$@" 3<&- & server=$!
{ read -r _ <&3; kill -s QUIT "$server"; } >/dev/null 2>&1 & watch=$!
wait "$server"; code=$?
kill "$watch" 2>/dev/null
[ -e "$0/halted" ] || { cd / && rm -rf "$0"; }
exit "$code"`

/** A real PostgreSQL in a temporary folder, or in memory, that only this user can reach. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(homeFolder(options), 'wharf-pg-'))
  try {
    return await start(home, options)
  } catch (cause) {
    rmSync(home, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

async function start(
  home: string,
  { fsync = false, tcp = false, standbyOf }: PostgresOptions,
): Promise<PostgresServer> {
  const bin = postgresBinaries(home)
  const data = join(home, 'data')
  // a copy has the users of the original
  const password = standbyOf ? new URL(standbyOf.url).password : randomBytes(16).toString('hex')
  const passwordFile = join(home, 'password')
  writeFileSync(passwordFile, password)
  if (asRoot) chownRecursively(home)

  // Own environment: PGPORT, PGDATA and the like of a developer must not reach it.
  const run = { ...unprivileged, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const authentication = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`]
  const sync = fsync ? [] : ['--no-sync']
  const layout = ['-D', data, '-U', 'wharf', '-E', 'UTF8', '--locale=C', ...authentication, ...sync]
  if (standbyOf) await copyRunning(standbyOf, data)
  else execFileSync(join(bin, 'initdb'), layout, { ...run, stdio: 'pipe' })
  if (standbyOf && asRoot) chownRecursively(data)

  const port = tcp ? await freePort() : 5432
  const settings = {
    ...{ listen_addresses: tcp ? '127.0.0.1' : '', port, max_connections: 300 },
    ...(fsync ? {} : volatileSettings),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached, so that Ctrl-C does not reach the supervisor and the server before us.
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn('sh', ['-c', supervisor, home, join(bin, 'postgres'), '-D', data, '-k', home, ...flags], {
      ...run,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    await waitForConnections(child)
    return child
  }
  let server = await launch()
  const halted = join(home, 'halted')

  const url = tcp
    ? `postgres://wharf:${password}@127.0.0.1:${port}/postgres`
    : `postgres://wharf@localhost:${port}/postgres?host=${encodeURIComponent(home)}`
  return {
    url,
    data,
    createDatabase: (name) => createDatabase(url, name),
    halt: async (mode = 'immediate') => {
      writeFileSync(halted, '')
      await (mode === 'fast' ? stopFast(server, data) : stop(server))
    },
    resume: async () => {
      rmSync(halted)
      server = await launch()
    },
    stop: async () => {
      await stop(server)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Throws with the server's output when it exits before it is ready; afterwards it does not keep this process alive. */
async function waitForConnections(server: ChildProcess): Promise<void> {
  const stderr = server.stderr as Socket
  const log: string[] = []
  const ended = new AbortController()
  const timer = setTimeout(() => server.stdin?.end(), maxStartMs)
  server.once('error', (error) => ended.abort(error))
  server.once('exit', () => ended.abort(new Error(log.join('').trim())))
  stderr.setEncoding('utf8').on('data', (text: string) => log.push(text))
  try {
    while (!/ready to accept (read-only )?connections/.test(log.join('')))
      await once(stderr, 'data', { signal: ended.signal })
  } catch {
    throw ended.signal.reason
  } finally {
    clearTimeout(timer)
  }
  stderr.removeAllListeners('data').resume()
  for (const handle of [server, server.stdin as Socket, stderr]) handle.unref()
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.ref()
  const exited = once(server, 'exit')
  server.stdin?.end()
  await exited
}

/** With a final checkpoint, and every connection terminated. */
async function stopFast(server: ChildProcess, data: string): Promise<void> {
  server.ref()
  const exited = once(server, 'exit')
  process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT')
  await exited
}

async function createDatabase(url: string, name = `test_${randomBytes(8).toString('hex')}`): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const created = new URL(url)
  created.pathname = `/${encodeURIComponent(name)}`
  return created.href
}

/** Never below the checkout: the server's user may not enter it, and a socket's path must be short. */
function homeFolder({ fsync = false }: PostgresOptions): string {
  const chosen = fsync ? tmpdir() : temporaryFolder()
  const socketPathBytes = Buffer.byteLength(join(chosen, 'wharf-pg-123456', '.s.PGSQL.65535'))
  return socketPathBytes <= maxSocketPathBytes && (!asRoot || isAccessibleToAll(chosen)) ? chosen : '/tmp'
}

function isAccessibleToAll(folder: string): boolean {
  const isAccessible = (statSync(folder).mode & 0o001) !== 0
  return isAccessible && (folder === dirname(folder) || isAccessibleToAll(dirname(folder)))
}

function chownRecursively(folder: string): void {
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(join(folder, path), unprivileged.uid ?? 0, unprivileged.gid ?? 0)
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
