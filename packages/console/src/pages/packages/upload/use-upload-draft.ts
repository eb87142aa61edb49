import { type FormDraft, useFormDraft } from '../../../components/use-form-draft.ts'
import type { Draft } from '../../../features/uploads/drafts.ts'
import { type AddressDraft, mayContainSecrets } from './address-draft.ts'
import type { Destination } from './destination.ts'

interface UploadForm {
  readonly source: 'files' | 'address'
  readonly files: readonly Draft[]
  readonly address: AddressDraft
  readonly destination: Destination | null
  /** Null for the default folder of the destination. */
  readonly folder: string | null
  readonly tags: string
}

const emptyForm: UploadForm = {
  source: 'files',
  files: [],
  address: { url: '', name: '', type: '', digest: '' },
  destination: null,
  folder: null,
  tags: '',
}

/** Files cannot be stored; they must be chosen again after a reload. */
const secrets = ({ address }: UploadForm): string[] => ['files', ...(mayContainSecrets(address.url) ? ['url'] : [])]

export const useUploadDraft = (): FormDraft<UploadForm> => useFormDraft('upload', emptyForm, { secrets })
