import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// what the server writes is its owner's business only
process.umask(0o077)
// stripping types and compiling take most of a start; from the second one on they are done already. This file has no types,
// because what strips them would have to be loaded for it every time.
// NODE_COMPILE_CACHE names another folder, where this one may not be written
enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/wharf-server', import.meta.url)))
await import('./command-line.ts')
