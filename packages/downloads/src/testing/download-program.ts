// Downloads its argument and prints the body, or else the error: a process whose environment a test can choose.
import { text } from 'node:stream/consumers'
import { openDownload } from '../download.ts'
import { allowedAddress, downloadOptions } from './source.ts'

const resolve = async () => [{ address: allowedAddress, family: 4 }]
const [, , url = ''] = process.argv
const message = await openDownload(new URL(url), downloadOptions({ resolve })).then(
  ({ stream }) => text(stream),
  (error: Error) => error.message,
)
process.stdout.write(message)
