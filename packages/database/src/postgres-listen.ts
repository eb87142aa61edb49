import pg from 'pg'

const reconnectMs = 500

/** A separate connection that listens and reconnects when it is lost, to the server that is then in use. */
export function listenTo(channel: string, connection: () => pg.ClientConfig, wake: () => void): () => void {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const current = new pg.Client(connection())
    client = current
    let lost = false
    const again = (): void => {
      if (lost) return
      lost = true
      current.end().catch(() => {})
      if (!stopped) timer = setTimeout(() => void connect(), reconnectMs)
    }
    current.on('notification', wake)
    current.on('error', again)
    current.on('end', again)
    try {
      await current.connect()
      // a standby rejects this
      await current.query(`listen ${channel}`)
      wake()
    } catch {
      again()
    }
  }
  void connect()
  return () => {
    stopped = true
    clearTimeout(timer)
    client?.end().catch(() => {})
  }
}
