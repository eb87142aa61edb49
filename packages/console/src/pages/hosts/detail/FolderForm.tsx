import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { type FormEvent, useState } from 'react'
import { go } from '../../../frame/route.ts'
import { useWords } from '../../../words/words.ts'
import { cleanFolder } from './folders.ts'
import { words } from './words.ts'

/** Any folder can be measured, also one without packages. */
export function FolderForm({ folder, linkToFolder }: { folder: string; linkToFolder: (path: string) => string }) {
  const say = useWords(words)
  const [typed, setTyped] = useState(folder)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    go(linkToFolder(cleanFolder(typed)))
  }
  return (
    <form onSubmit={submit}>
      <FormField
        label={say.folder}
        constraintText={say.folderMeans}
        secondaryControl={<Button formAction="submit">{say.measure}</Button>}
      >
        <Input value={typed} onChange={({ detail }) => setTyped(detail.value)} />
      </FormField>
    </form>
  )
}
