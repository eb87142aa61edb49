import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { packageName } from '../../../features/uploads/suggested-path.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type AddressDraft, fileNameIn, isAddress, isDigest } from './address-draft.ts'
import { messages } from './messages.ts'
import { TypeInput } from './TypeInput.tsx'

interface AddressFieldsProps {
  readonly draft: AddressDraft
  readonly showProblems: boolean
  readonly onChange: (draft: AddressDraft) => void
}

/** The fields of a package that the server downloads. */
export function AddressFields({ draft, showProblems, onChange }: AddressFieldsProps) {
  const t = useMessages(messages)
  const { url, name, type, digest } = draft
  const setUrl = (next: string): void => {
    // the name follows the URL until the user edits it
    const isSuggested = name === '' || name === packageName(fileNameIn(url))
    onChange({ ...draft, url: next, name: isSuggested ? packageName(fileNameIn(next)) : name })
  }
  return (
    <SpaceBetween size="m">
      <FormField
        label={t.address}
        description={t.addressHelp}
        errorText={(showProblems || url !== '') && !isAddress(url) ? t.addressProblem : ''}
        stretch
      >
        <Input
          value={url}
          inputMode="url"
          placeholder="https://packages.example.com/hello-1.0.0.tar.gz"
          onChange={({ detail }) => setUrl(detail.value)}
        />
      </FormField>
      <FormField label={t.name} errorText={showProblems && name.trim() === '' ? t.missing.name : ''} stretch>
        <Input value={name} onChange={({ detail }) => onChange({ ...draft, name: detail.value })} />
      </FormField>
      <TypeInput
        label={t.type}
        value={type}
        showProblem={showProblems}
        onChange={(next) => onChange({ ...draft, type: next })}
      />
      <FormField
        label={t.digest}
        description={t.digestHelp}
        errorText={isDigest(digest) ? '' : t.digestProblem}
        stretch
      >
        <Input value={digest} onChange={({ detail }) => onChange({ ...draft, digest: detail.value })} />
      </FormField>
    </SpaceBetween>
  )
}
