/** A webhook is limited to 256 KiB, which holds at least this many alerts of the usual size. */
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

/** True when only the server's own machine can reach this address. */
export const isLoopbackUrl = (url: string): boolean => /^\[?(127\.|::1|localhost)/.test(new URL(url).hostname)
