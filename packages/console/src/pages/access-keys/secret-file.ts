export interface Secret {
  readonly id: string
  readonly secret: string
}

/** As a file of settings reads it; the names are those of the API. */
const secretText = ({ id, secret }: Secret): string => `AccessKeyID=${id}\nAccessKeySecret=${secret}\n`

export function downloadSecret(made: Secret): void {
  const url = URL.createObjectURL(new Blob([secretText(made)], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `wharf-${made.id}.txt`
  link.click()
  URL.revokeObjectURL(url)
}
