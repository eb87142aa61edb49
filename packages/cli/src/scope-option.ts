import type { OptionSpecs } from './command.ts'

/** The limit of a user or access key to hosts. */
export const scopeOption = {
  '--scope <condition>': {
    help: 'limit to hosts with this label, such as labels.team=web, and what is on them; repeatable, all must match',
    repeated: true,
  },
} as const satisfies OptionSpecs
