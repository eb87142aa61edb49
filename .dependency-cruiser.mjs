// Dependencies point down this list: program, composition, http, resources, calls, records, jobs and events, audit; below them the packages
// database, downloads, elaborations, archives, sftp, ssh, platform and contract. What a rule forbids, `comment` explains. There are no exceptions.
import typescript from 'typescript'

// dependency-cruiser passes over every .ts file, and so finds no fault, when TypeScript cannot transpile for it.
if (typeof typescript.transpileModule !== 'function') {
  throw new Error('dependency-cruiser needs the package "typescript" with its JavaScript interface, so version 6')
}

const server = '^packages/server/src'
const resource = `${server}/resources/([^/]+)`
/** All of reliability is tests and what they share; what the tests of one folder share is in its testing/. */
const tests = '[.]test[.]ts$|^packages/reliability/|/testing/'

/** Of the server, each may use itself and what follows it. */
const layers = ['program', 'composition', 'http', 'resources', 'calls', 'records', '(jobs|events)', 'audit']

const layerRules = layers.slice(1).map((layer, index) => ({
  name: `nothing-below-uses-${layers[index]}`,
  comment: `${layer} and what is below it may not use ${layers[index]}: dependencies point down.`,
  from: { path: `${server}/(${layers.slice(index + 1).join('|')})/`, pathNot: tests },
  to: { path: `${server}/${layers[index]}/` },
}))

/** A package may use these of ours besides itself. */
const uses = (name, ...below) => ({
  name: `${name}-uses-only-what-is-below`,
  comment: `${name} may use ${below.join(', ') || 'nothing'} of ours.`,
  from: { path: `^packages/${name}/src/`, pathNot: tests },
  to: { path: '^(packages|scripts|bench)/', pathNot: `^packages/(${[name, ...below].join('|')})/` },
})

const consoleSource = '^packages/console/src'
/** Top first: a file of the console uses its own layer and the layers below it. */
const consoleLayers = ['app', 'pages', 'features', 'components', 'data', 'i18n', 'browser']
const consoleRules = [
  ...consoleLayers.map((name, index) => ({
    name: `console-${name}-points-down`,
    comment: `The layers of the console are ${consoleLayers.join(', ')}; dependencies point down.`,
    from: { path: `${consoleSource}/${name}/` },
    to: { path: `${consoleSource}/`, pathNot: `${consoleSource}/(${consoleLayers.slice(index).join('|')})/` },
  })),
  {
    name: 'console-pages-are-independent',
    comment: 'What two pages share belongs to features or components.',
    from: { path: `${consoleSource}/pages/([^/]+)/` },
    to: { path: `${consoleSource}/pages/`, pathNot: `${consoleSource}/pages/$1/` },
  },
  {
    name: 'console-runs-in-browsers',
    comment: 'These files of the platform do not use Node.',
    from: { path: consoleSource, pathNot: '[.]test[.]tsx?$' },
    to: { path: '^packages/platform/', pathNot: '/(cidr|host-name)[.]ts$' },
  },
  {
    name: 'shared-with-the-console-without-node',
    comment: 'The console bundles these files.',
    from: { path: '^packages/platform/src/(cidr|host-name)[.]ts$' },
    to: { dependencyTypes: ['core'] },
  },
]

const rules = [
  ...consoleRules,
  uses('contract'),
  uses('sdk', 'contract'),
  uses('announcer'),
  uses('platform', 'contract'),
  uses('ssh', 'platform'),
  uses('sftp', 'ssh', 'platform'),
  uses('archives', 'platform', 'contract'),
  uses('database', 'platform', 'contract'),
  uses('downloads', 'platform'),
  uses('elaborations', 'platform', 'contract'),
  uses(
    'server',
    'announcer',
    'database',
    'downloads',
    'elaborations',
    'archives',
    'sftp',
    'ssh',
    'platform',
    'contract',
  ),
  uses('console', 'sdk', 'platform', 'contract'),
  uses('cli', 'sdk', 'contract', 'announcer'),
  {
    name: 'sdk-runs-in-browsers',
    comment:
      'Only what sends requests and files in Node knows it; package.json swaps node-request.ts and file-source.ts for pages.',
    from: { path: '^packages/sdk/src/', pathNot: `${tests}|/upload/file-[a-z]+[.]ts$|/http/node-request[.]ts$` },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'cli-starts-quickly',
    comment:
      'Loading the SDK or the contract takes longer than a whole `wharf --help` may: commands import them when they run.',
    from: { path: '^packages/cli/src/', pathNot: tests },
    to: {
      path: '^packages/(sdk|contract|announcer)/',
      dependencyTypesNot: ['type-only', 'dynamic-import'],
    },
  },
  ...layerRules,
  {
    name: 'the-server-has-no-loose-files',
    comment: 'Each file is in the folder of its layer.',
    from: { path: `${server}/[^/]+$` },
    to: {},
  },
  {
    name: 'calls-know-no-http',
    comment: 'What a handler is does not depend on how it is called.',
    from: { path: `${server}/(calls|records|jobs|events|audit)/`, pathNot: tests },
    to: { path: '^node_modules/fastify' },
  },
  {
    name: 'resources-meet-at-their-services',
    comment: 'A resource uses another through its service.ts, and a host or storage through its driver.ts.',
    from: { path: `${resource}/`, pathNot: tests },
    to: {
      path: `${resource}/`,
      pathNot: [`${server}/resources/$1/`, '/(service|driver)[.]ts$'],
    },
  },
  {
    name: 'stores-are-private',
    comment: 'The queries of a folder are its own business.',
    from: { path: `${server}/(resources/[^/]+|[^/]+)/`, pathNot: tests },
    to: { path: `${server}/.+[/-]store[.]ts$`, pathNot: `${server}/$1/` },
  },
  {
    name: 'no-cycles',
    comment: 'Two files that need each other, be it by type alone, are one idea, or lack a third.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'production-uses-no-testkit',
    comment: 'What is only for tests stays out of what is shipped.',
    from: { path: '^packages/', pathNot: [tests, '^packages/testkit/'] },
    to: { path: '^(packages/testkit|scripts|bench)/' },
  },
  {
    name: 'production-uses-no-tests',
    comment: 'What tests share is theirs.',
    from: { path: '^packages/', pathNot: tests },
    to: { path: tests },
  },
  {
    name: 'production-declares-its-dependencies',
    comment: 'A package that is shipped uses what its own package.json lists as a dependency.',
    from: { path: '^packages/', pathNot: [tests, '^packages/testkit/', '/vite[.]config[.]ts$'] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'] },
  },
  {
    name: 'everything-resolves',
    comment: 'An import leads to a file.',
    from: {},
    to: { couldNotResolve: true },
  },
]

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(data|dist|packages/(cli|console|server)/dist)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
