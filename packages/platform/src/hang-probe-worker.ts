import { fdatasyncSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const file: number = workerData
writeSync(file, '\n', 0)
fdatasyncSync(file)
