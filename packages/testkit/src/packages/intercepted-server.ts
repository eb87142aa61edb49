import { serverProgram } from '../program/programs.ts'

/**
 * The server, in a mount namespace of its own whose /usr/local/sbin is the folder that INTERCEPTED_PROGRAMS names: programs that it runs
 * on this machine can be stopped there (see ProgramBreakpoints), and its mounts end with it. Same process, same pid.
 */
const { INTERCEPTED_PROGRAMS: programs = '/usr/local/sbin' } = process.env
const script = 'mount --bind "$0" /usr/local/sbin && exec "$@"'
const words = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, programs]
process.execve?.('/usr/bin/unshare', [...words, process.execPath, serverProgram], process.env as Record<string, string>)
