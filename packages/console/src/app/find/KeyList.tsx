import Modal from '@cloudscape-design/components/modal'
import Table from '@cloudscape-design/components/table'
import { useMessages } from '../../i18n/use-messages.ts'
import './find.css'
import { messages } from './messages.ts'
import { isMac } from './shortcut.ts'

/** The keys that work on every page. */
export default function KeyList({ onDismiss }: { onDismiss: () => void }) {
  const t = useMessages(messages)
  const keys = [
    { key: isMac() ? '⌘ K' : 'Ctrl K', effect: t.keys.find },
    { key: '/', effect: t.keys.filter },
    { key: '?', effect: t.keys.help },
    { key: 'Esc', effect: t.keys.escape },
  ]
  return (
    <Modal visible header={t.keysTitle} closeAriaLabel={t.close} onDismiss={onDismiss}>
      <Table
        variant="embedded"
        items={keys}
        columnDefinitions={[
          { id: 'key', header: t.key, isRowHeader: true, cell: ({ key }) => <kbd className="key-name">{key}</kbd> },
          { id: 'effect', header: t.effect, cell: ({ effect }) => effect },
        ]}
      />
    </Modal>
  )
}
