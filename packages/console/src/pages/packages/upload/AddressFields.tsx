import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMessages } from '../../../i18n/messages.ts'
import { messages } from './messages.ts'
import { packageName } from './suggested-path.ts'
import { TypeInput } from './TypeInput.tsx'

export interface AddressDraft {
  readonly url: string
  readonly name: string
  readonly type: string
  /** MD5 or SHA-256 in hex; empty to skip the check. */
  readonly digest: string
}

export const isDigest = (text: string): boolean => /^(|[0-9a-f]{32}|[0-9a-f]{64})$/i.test(text.trim())

export const isAddress = (url: string): boolean => /^(https?|file):\/\//i.test(url) && URL.canParse(url)

export function fileNameIn(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  return path.split('/').at(-1) || 'package'
}

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
