import { ApiError } from './api-error.ts'

/**
 * Another management node has the disk or the machine that this call needs. Thrown before anything is changed, or where the
 * change is rolled back; the call is then relayed to that node.
 */
export class WrongNodeError extends ApiError {
  readonly nodeUuid: string

  constructor(nodeUuid: string, details: string) {
    super('SYS.1012', details)
    this.nodeUuid = nodeUuid
  }
}
