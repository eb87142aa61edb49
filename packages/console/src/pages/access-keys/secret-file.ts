import { downloadText } from '../../browser/download-text.ts'

export interface Secret {
  readonly id: string
  readonly secret: string
}

/** A settings file with the names of the API. */
const secretText = ({ id, secret }: Secret): string => `AccessKeyID=${id}\nAccessKeySecret=${secret}\n`

export const downloadSecret = (secret: Secret): void => downloadText(`wharf-${secret.id}.txt`, secretText(secret))
