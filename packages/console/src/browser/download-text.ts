import { downloadBlob } from './download-blob.ts'

export const downloadText = (name: string, text: string): void =>
  downloadBlob(name, new Blob([text], { type: 'text/plain' }))
