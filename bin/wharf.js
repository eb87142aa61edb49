import { currentBundle } from '../packages/platform/src/bundle.js'

// loading more than a hundred source files takes most of a short command
await import(currentBundle('cli') ?? '../packages/cli/src/main.ts')
