import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { createUserTag, deleteUserTag, maxUserTagLength, queryUserTag } from '@wharf/contract'
import { type FormEvent, useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import { useApiMutation, useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { CopyAsCommand } from '../copy-command/CopyAsCommand.tsx'
import { ErrorAlert } from '../ErrorAlert.tsx'
import { useRefusal } from '../permission.ts'
import { userTagField } from '../table/tags/read-tags.ts'
import { messages } from './messages.ts'
import './user-tags.css'

interface TagEditorProps {
  readonly resourceUuid: string
  readonly resourceType: string
  readonly list: readonly string[]
}

/** The user tags of a record, each with a button that removes it, and a field for another one. */
export function TagEditor({ resourceUuid, resourceType, list }: TagEditorProps) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const [typed, setTyped] = useState('')
  const { data, error } = useApiQuery(queryUserTag, { q: [`resourceUuid=${resourceUuid}`], sort: '+createDate' })
  const attaching = useApiMutation(createUserTag)
  const removing = useApiMutation(deleteUserTag)
  const tag = typed.trim()
  const input = { resourceUuid, resourceType, tag }
  const tags = data?.inventories ?? []
  const attach = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (tag === '' || attaching.isPending) return
    await attaching.mutateAsync(input)
    setTyped('')
  }
  const failure = error ?? attaching.error ?? removing.error
  return (
    <SpaceBetween size="s">
      {failure ? <ErrorAlert error={failure} /> : null}
      {data && tags.length === 0 ? <Box color="text-body-secondary">{t.noTags}</Box> : null}
      {tags.length > 0 ? (
        <ul className="user-tags">
          {tags.map(({ uuid = '', tag: text = '' }) => (
            <li key={uuid}>
              <a href={linkTo(list, { q: `${userTagField}=${text}` })} aria-label={t.filterBy(text)}>
                {text}
              </a>
              <Button
                variant="inline-icon"
                iconName="close"
                ariaLabel={t.remove(text)}
                loading={removing.isPending && removing.variables.uuid === uuid}
                {...refused(deleteUserTag)}
                onClick={() => removing.mutate({ uuid })}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {/* the alert above has the reason */}
      <form onSubmit={(event) => void attach(event).catch(() => {})}>
        <SpaceBetween direction="horizontal" size="xs" alignItems="end">
          <FormField label={t.newTag}>
            <Input
              value={typed}
              autoComplete={false}
              nativeInputAttributes={{ maxLength: maxUserTagLength }}
              disabled={refused(createUserTag) !== undefined}
              onChange={({ detail }) => setTyped(detail.value)}
            />
          </FormField>
          <Button
            loading={attaching.isPending}
            {...(tag === '' ? { disabled: true, disabledReason: t.enterTag } : {})}
            {...refused(createUserTag)}
          >
            {t.attach}
          </Button>
          <CopyAsCommand calls={[{ operation: createUserTag, input }]} />
        </SpaceBetween>
      </form>
    </SpaceBetween>
  )
}
