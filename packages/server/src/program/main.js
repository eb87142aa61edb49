import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { currentBundle } from '@wharf/platform/bundle.js'

// stripping types and compiling take most of a start; the cache saves both from the second one on. This file has no types,
// because loading the type stripper for it would cost time at every start.
// NODE_COMPILE_CACHE names another folder, when this one is read-only
enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/wharf-server', import.meta.url)))
await import(currentBundle('server') ?? './command-line.ts')
