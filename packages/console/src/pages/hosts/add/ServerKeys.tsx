import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import FormField from '@cloudscape-design/components/form-field'
import Spinner from '@cloudscape-design/components/spinner'
import { getServerSshKey, queryManagementNode } from '@wharf/contract'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The public keys to add to authorized_keys on the host: every management node has its own. */
export function ServerKeys() {
  const t = useMessages(messages)
  const { data, error } = useApiQuery(queryManagementNode, { q: ['status=Alive'], sort: '+hostName' })
  if (error) return <ErrorAlert error={error} />
  const nodes = data?.inventories ?? []
  return nodes.map(({ uuid = '', hostName = '' }) => (
    <ServerKey key={uuid} nodeUuid={uuid} label={nodes.length > 1 ? t.publicKeyOf(hostName) : t.publicKey} />
  ))
}

function ServerKey({ nodeUuid, label }: { nodeUuid: string; label: string }) {
  const t = useMessages(messages)
  const { data, error } = useApiQuery(getServerSshKey, { uuid: nodeUuid })
  if (error) return <ErrorAlert error={error} />
  return (
    <FormField label={label} constraintText={t.publicKeyHelp} stretch>
      {data ? (
        <div className="fingerprint">
          <CopyToClipboard
            variant="inline"
            textToCopy={data.publicKey}
            copyButtonAriaLabel={`${t.copy}: ${label}`}
            copySuccessText={t.copied}
            copyErrorText={t.notCopied}
          />
        </div>
      ) : (
        <Spinner />
      )}
    </FormField>
  )
}
