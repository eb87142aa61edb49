export const wizardSteps = ['target', 'method', 'plan'] as const
export type Step = (typeof wizardSteps)[number]
