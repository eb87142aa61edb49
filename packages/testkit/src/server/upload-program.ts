import { UploadServer } from './upload-server.ts'

/** An upload server as a program that tests can kill. */
const environment = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
void UploadServer.open(environment, { port: Number(environment.WHARF_PORT) }).then((server) => {
  process.once('SIGTERM', () => void server.close())
  process.stdout.write(`is ready at http://127.0.0.1:${server.port}\n`)
})
