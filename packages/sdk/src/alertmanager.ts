/** What one webhook may contain: 256 KiB hold at least this many alerts of the usual size. */
const maxAlerts = 100

/** A configuration file for Alertmanager that sends every alert to an alert platform. */
export const alertmanagerConfig = ({ url, token }: { url: string; token: string }): string => `route:
  receiver: wharf
receivers:
  - name: wharf
    webhook_configs:
      - url: ${JSON.stringify(url)}
        max_alerts: ${maxAlerts}
        http_config:
          authorization:
            credentials: ${JSON.stringify(token)}
`

/** An address that only the machine of the server itself can reach. */
export const isLoopbackUrl = (url: string): boolean => /^\[?(127\.|::1|localhost)/.test(new URL(url).hostname)
