import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FileInput from '@cloudscape-design/components/file-input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ListedHost, readHostList } from '@wharf/sdk'
import { useState } from 'react'
import { BulkActionModal } from '../../../components/table/bulk/BulkActionModal.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { useAddListed } from './use-add-listed.tsx'

const example = `name,address,user,port,labels
web-1,10.0.0.11,root,22,zone=a;role=web
web-2,10.0.0.12,root,22,zone=b;role=web`

/** Adds the hosts of a CSV file, with a result for each. */
export function ImportHosts({ onDismiss }: { onDismiss: () => void }) {
  const t = useMessages(messages)
  const action = useAddListed()
  const [hosts, setHosts] = useState<readonly ListedHost[]>()
  const [problem, setProblem] = useState<string>()
  const read = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return
    try {
      setHosts(readHostList(await file.text()))
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  if (hosts)
    return (
      <BulkActionModal
        action={action}
        records={hosts}
        keyOf={({ name }) => name}
        nameOf={({ name, address }) => `${name} (${address})`}
        onDismiss={onDismiss}
      />
    )
  return (
    <Modal
      visible
      header={t.title}
      closeAriaLabel={t.cancel}
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <Button variant="link" onClick={onDismiss}>
            {t.cancel}
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>{t.intro}</Box>
        <pre className="log">{example}</pre>
        <FileInput value={[]} accept=".csv,text/csv" onChange={({ detail }) => void read(detail.value)}>
          {t.choose}
        </FileInput>
        {problem ? (
          <Alert type="error" header={t.notRead}>
            <div className="error-text">{problem}</div>
          </Alert>
        ) : null}
      </SpaceBetween>
    </Modal>
  )
}
