import { Choice, optional } from './schema.ts'

export const deleteModes = ['Permissive', 'Enforcing'] as const

/** Accepted by every DELETE; without effect where nothing can prevent the deletion. */
export const deletionFields = {
  deleteMode: optional(Choice(deleteModes, { description: 'Permissive when absent' })),
}
