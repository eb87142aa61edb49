// Builds what is stale of the console and the server, before `npm start`.
import { ensureConsole } from './build-console.ts'
import { ensureServer } from './build-server.ts'

await Promise.all([ensureConsole(), ensureServer()])
