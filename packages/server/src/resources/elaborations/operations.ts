import { checkElaborationContent, getElaborationCategories, getElaborations, reloadElaboration } from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import type { ElaborationService } from './service.ts'

export function elaborationOperations({ elaborations }: { elaborations: ElaborationService }): Binding[] {
  return [
    handle(getElaborations, ({ fields }) =>
      fields.regex
        ? elaborations.search(fields.regex, fields.category).then((contents) => ({ contents }))
        : { contents: elaborations.list(fields) },
    ),
    handle(getElaborationCategories, () => ({ categories: elaborations.categories })),
    handle(checkElaborationContent, async ({ fields: { elaborateContent: content, elaborateFile: file } }) => ({
      results: await elaborations.check({ content, file }),
    })),
    handle(reloadElaboration, async ({ commit }) => {
      // files are read outside the transaction, which only stores the idempotency key
      await elaborations.reload()
      return commit(async () => ({}))
    }),
  ]
}
