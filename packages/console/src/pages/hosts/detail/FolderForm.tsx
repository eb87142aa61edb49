import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { type FormEvent, useState } from 'react'
import { navigate } from '../../../browser/route.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { cleanFolder } from './folders.ts'
import { messages } from './messages.ts'

export function FolderForm({ folder, linkToFolder }: { folder: string; linkToFolder: (path: string) => string }) {
  const t = useMessages(messages)
  const [typed, setTyped] = useState(folder)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    navigate(linkToFolder(cleanFolder(typed)))
  }
  return (
    <form onSubmit={submit}>
      <FormField
        label={t.folder}
        constraintText={t.folderHelp}
        secondaryControl={<Button formAction="submit">{t.measure}</Button>}
      >
        <Input value={typed} onChange={({ detail }) => setTyped(detail.value)} />
      </FormField>
    </form>
  )
}
