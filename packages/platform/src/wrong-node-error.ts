import { ApiError } from './api-error.ts'

/**
 * Another management node has what this call needs: its disk, its machine. Thrown before anything is changed, or where the
 * change is rolled back; the call is then made there. Whoever is told of it as a failure reads what it says.
 */
export class WrongNodeError extends ApiError {
  readonly nodeUuid: string

  constructor(nodeUuid: string, details: string) {
    super('SYS.1012', details)
    this.nodeUuid = nodeUuid
  }
}
