import { serverProgram } from '../program/programs.ts'

/**
 * The server, in a mount namespace of its own whose /usr/local/sbin is the folder that INTERCEPTED_PROGRAMS names: what it runs
 * on this machine can be held there (see HostHolds), and what is mounted for it goes with it. Same process, same number.
 */
const { INTERCEPTED_PROGRAMS: programs = '/usr/local/sbin' } = process.env
const script = 'mount --bind "$0" /usr/local/sbin && exec "$@"'
const words = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, programs]
process.execve?.('/usr/bin/unshare', [...words, process.execPath, serverProgram], process.env as Record<string, string>)
