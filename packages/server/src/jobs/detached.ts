/** Why a run ended without a result: the job continues in another process. */
export class Detached extends Error {}
