import Box from '@cloudscape-design/components/box'
import LiveRegion from '@cloudscape-design/components/live-region'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useId, useState } from 'react'
import { navigate } from '../../browser/route.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { ModalInput } from '../../components/ModalInput.tsx'
import { useSession } from '../../data/session.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { FindResults } from './FindResults.tsx'
import './find.css'
import { type FindEntry, groupEntries } from './find-entry.ts'
import { messages } from './messages.ts'
import { addRecent, readRecent } from './recent-entries.ts'
import { useFindActions } from './use-find-actions.ts'
import { useFindPages } from './use-find-pages.ts'
import { useFoundRecords } from './use-found-records.ts'

/** Searches pages, records and actions. The focus stays in the field; the arrow keys select a result. */
export default function FindAnything({ onDismiss }: { onDismiss: () => void }) {
  const t = useMessages(messages)
  const userUuid = useSession()?.userUuid ?? ''
  const listId = useId()
  const [text, setText] = useState('')
  const [recent] = useState(() => readRecent(userUuid))
  const [selected, setSelected] = useState<string>()
  const records = useFoundRecords(text)
  const entries = [...useFindActions(), ...useFindPages(), ...records.entries]
  const groups = groupEntries(entries, { text, recent })
  const shown = groups.flatMap((group) => group.entries)
  const index = Math.max(
    0,
    shown.findIndex(({ id }) => id === selected),
  )
  const active = shown[index]
  const optionId = (entry: FindEntry): string => `${listId} ${entry.id}`.replaceAll(/[^\w]/g, '-')
  const open = (entry: FindEntry): void => {
    addRecent(userUuid, entry)
    onDismiss()
    if (typeof entry.target === 'string') navigate(entry.target)
    else entry.target()
  }
  const press = (key: string): boolean => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (steps !== undefined && shown.length > 0) setSelected(shown[(index + steps + shown.length) % shown.length]?.id)
    else if (key === 'Enter' && active) open(active)
    else return false
    return true
  }
  return (
    <Modal
      visible
      position="top"
      size="medium"
      header={t.title}
      closeAriaLabel={t.close}
      onDismiss={onDismiss}
      footer={
        <Box variant="small" color="text-body-secondary">
          {t.hint}
        </Box>
      }
    >
      <SpaceBetween size="s">
        <ModalInput
          value={text}
          type="search"
          autoComplete={false}
          spellcheck={false}
          placeholder={t.placeholder}
          ariaLabel={t.title}
          nativeInputAttributes={{
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': active !== undefined,
            ...(active && { 'aria-controls': listId, 'aria-activedescendant': optionId(active) }),
          }}
          onChange={({ detail }) => {
            setText(detail.value)
            setSelected(undefined)
          }}
          onKeyDown={(event) => {
            if (!event.detail.isComposing && press(event.detail.key)) event.preventDefault()
          }}
        />
        {records.error ? <ErrorAlert error={records.error} header={t.notSearched} /> : null}
        {active ? <FindResults id={listId} groups={groups} active={active} optionId={optionId} onOpen={open} /> : null}
        <LiveRegion hidden>{records.isSearching ? t.searching : t.count(shown.length)}</LiveRegion>
        {records.isSearching ? (
          <Box color="text-body-secondary">{t.searching}</Box>
        ) : shown.length === 0 ? (
          <Box color="text-body-secondary">{t.nothing(text.trim())}</Box>
        ) : null}
      </SpaceBetween>
    </Modal>
  )
}
