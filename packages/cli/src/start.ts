import module from 'node:module'
import { fileURLToPath } from 'node:url'
import './polyfills.ts'

// stripping types and compiling take most of a start; from the second one on they are done already
// (Node 20 cannot do that)
module.enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/wharf', import.meta.url)))
const [{ run }, { processIo }] = await Promise.all([import('./run.ts'), import('./process-io.ts')])

const io = processIo()
const exitCode = await run(process.argv.slice(2), io)
// an idle connection or a stream that is still closing is nothing to wait for
await io.flush()
process.exit(exitCode)
