import module from 'node:module'
import { fileURLToPath } from 'node:url'
import './polyfills.ts'

// the cache avoids stripping types and compiling at every start; Node 20 has none
module.enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/wharf', import.meta.url)))
void start()

async function start(): Promise<void> {
  const [{ run }, { processIo }] = await Promise.all([import('./run.ts'), import('./process-io.ts')])
  const io = processIo()
  const exitCode = await run(process.argv.slice(2), io)
  // do not wait for idle connections and closing streams
  await io.flush()
  process.exit(exitCode)
}
