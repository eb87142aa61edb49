import type { CommandSpec, GroupSpec } from './command.ts'

interface Entry {
  readonly name: string
  readonly summary: string
  /** Loads the command on demand, so that more commands do not slow down the start. */
  load(): Promise<GroupSpec | CommandSpec>
}

/** The top-level commands in the order of `wharf --help`. */
export const commandEntries: readonly Entry[] = [
  {
    name: 'login',
    summary: 'Sign in and store the credential in a profile',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'End the session of a profile and delete its credential',
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'Show the account, user, role and scope of the caller, and the source of the credential',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'password',
    summary: 'Change your own password',
    load: async () => (await import('./commands/password.ts')).password,
  },
  {
    name: 'second-factor',
    summary: 'Manage your second factor: authenticator app and recovery codes',
    load: async () => (await import('./commands/second-factor.ts')).secondFactor,
  },
  {
    name: 'profile',
    summary: 'Manage profiles: servers and credentials',
    load: async () => (await import('./commands/profile.ts')).profile,
  },
  {
    name: 'package',
    summary: 'Manage software packages: upload, install, upgrade, roll back, delete',
    load: async () => (await import('./commands/package.ts')).packageGroup,
  },
  {
    name: 'release',
    summary: 'Manage releases: publish, retire, delete',
    load: async () => (await import('./commands/release.ts')).release,
  },
  {
    name: 'rollout',
    summary: 'Roll releases out to hosts in waves: plan, watch, pause, undo',
    load: async () => (await import('./commands/rollout.ts')).rollout,
  },
  {
    name: 'window',
    summary: 'Manage maintenance windows of rollouts',
    load: async () => (await import('./commands/window.ts')).window,
  },
  {
    name: 'upload',
    summary: 'Show unfinished uploads and delete them',
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  { name: 'host', summary: 'Manage hosts', load: async () => (await import('./commands/host.ts')).host },
  {
    name: 'storage',
    summary: 'Manage backup storage',
    load: async () => (await import('./commands/storage.ts')).storage,
  },
  {
    name: 'cluster',
    summary: 'Manage clusters and their alerts',
    load: async () => (await import('./commands/cluster.ts')).cluster,
  },
  {
    name: 'alert',
    summary: 'Manage alerts and alert platforms',
    load: async () => (await import('./commands/alert.ts')).alert,
  },
  {
    name: 'chat',
    summary: 'Manage chat endpoints that receive alerts, and mentions',
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'delivery',
    summary: 'Show messages to chat endpoints, and send failed ones again',
    load: async () => (await import('./commands/delivery.ts')).delivery,
  },
  {
    name: 'migrate',
    summary: 'Manage the migration gateway: images and virtual machines',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'job',
    summary: 'Manage jobs: list, wait, follow, retry, cancel',
    load: async () => (await import('./commands/job.ts')).job,
  },
  {
    name: 'tag',
    summary: 'Manage user tags: create, attach, detach',
    load: async () => (await import('./commands/tag.ts')).tag,
  },
  {
    name: 'account',
    summary: 'Manage accounts',
    load: async () => (await import('./commands/account.ts')).account,
  },
  {
    name: 'user',
    summary: 'Manage users, their roles and scopes',
    load: async () => (await import('./commands/user.ts')).user,
  },
  {
    name: 'session',
    summary: 'Manage sessions: list them and end them',
    load: async () => (await import('./commands/session.ts')).session,
  },
  { name: 'key', summary: 'Manage access keys', load: async () => (await import('./commands/key.ts')).key },
  {
    name: 'audit',
    summary: 'Read, export and verify the audit trail',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'node',
    summary: 'Show management nodes',
    load: async () => (await import('./commands/node.ts')).node,
  },
  {
    name: 'usage',
    summary: 'Show the free space of a folder on a management node',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'events',
    summary: 'Stream changes of records',
    load: async () => (await import('./commands/events.ts')).events,
  },
  {
    name: 'explain',
    summary: 'Explain an error code or text, or search the explanations',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'open',
    summary: 'Open the console page of a record in the browser',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'call',
    summary: 'Call any API operation by its name',
    load: async () => (await import('./commands/call.ts')).call,
  },
  {
    name: 'api',
    summary: 'Send a raw, signed API request',
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'doctor',
    summary: 'Diagnose connection and credential problems',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    summary: 'Print a shell completion script',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
