import { Choice, optional } from './schema.ts'

export const deleteModes = ['Permissive', 'Enforcing'] as const

/** Every DELETE takes it; where nothing can stand in the way it makes no difference. */
export const deletionFields = {
  deleteMode: optional(Choice(deleteModes, { description: 'Permissive when absent' })),
}
