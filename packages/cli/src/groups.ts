import type { CommandSpec, GroupSpec } from './command.ts'

interface Entry {
  readonly name: string
  readonly summary: string
  /** Commands are read when one of them is called: a start should not take longer with each one that is added. */
  load(): Promise<GroupSpec | CommandSpec>
}

/** Every word that may follow `wharf`, in the order of `wharf --help`. */
export const entries: readonly Entry[] = [
  {
    name: 'login',
    summary: 'Sign in and remember it as a profile',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'End the session of a profile and forget its credential',
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'Show account, user and role of the caller, and where the credential is from',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'profile',
    summary: 'The servers that you sign in to',
    load: async () => (await import('./commands/profile.ts')).profile,
  },
  {
    name: 'package',
    summary: 'Software packages: upload, install, uninstall, delete',
    load: async () => (await import('./commands/package.ts')).packageGroup,
  },
  { name: 'host', summary: 'Hosts that packages go to', load: async () => (await import('./commands/host.ts')).host },
  {
    name: 'storage',
    summary: 'Backup storage that keeps packages',
    load: async () => (await import('./commands/storage.ts')).storage,
  },
  {
    name: 'cluster',
    summary: 'Clusters and their alerts',
    load: async () => (await import('./commands/cluster.ts')).cluster,
  },
  {
    name: 'alert',
    summary: 'Alerts, and the platforms that send them',
    load: async () => (await import('./commands/alert.ts')).alert,
  },
  {
    name: 'chat',
    summary: 'Chats that are told of alerts, and who is mentioned there',
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'migrate',
    summary: 'The migration gateway: images and virtual machines',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'job',
    summary: 'Long operations: list, follow, cancel',
    load: async () => (await import('./commands/job.ts')).job,
  },
  { name: 'key', summary: 'Access keys', load: async () => (await import('./commands/key.ts')).key },
  {
    name: 'usage',
    summary: 'Tell how much room a folder of a management node has',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'events',
    summary: 'Show changes as they happen',
    load: async () => (await import('./commands/events.ts')).events,
  },
  {
    name: 'explain',
    summary: 'Explain an error text or an error code, or search the explanations',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'call',
    summary: 'Call any operation of the API by its name',
    load: async () => (await import('./commands/call.ts')).call,
  },
  {
    name: 'api',
    summary: 'Send a request of your own, signed',
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'doctor',
    summary: 'Find out why something does not work',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
