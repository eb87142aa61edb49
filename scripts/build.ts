// Builds what is stale of the console, the server and the command, before `npm start`.
import { ensureConsole } from './build-console.ts'
import { ensurePrograms } from './build-programs.ts'

await Promise.all([ensureConsole(), ensurePrograms()])
