/** The fields as typed. */
export interface VmForm {
  readonly name: string
  readonly hostUuid: string
  readonly cpu: string
  readonly memoryMiB: string
  readonly network: string
  readonly description: string
}

export const emptyVm: VmForm = { name: '', hostUuid: '', cpu: '1', memoryMiB: '1024', network: '', description: '' }

const MiB = 2 ** 20
export const limits = { cpu: [1, 255], memoryMiB: [16, 2 ** 42 / MiB] } as const

export type VmProblems = Readonly<Partial<Record<keyof VmForm, 'required' | 'badNumber' | 'badNetwork'>>>

export function vmProblems({ name, hostUuid, cpu, memoryMiB, network }: VmForm): VmProblems {
  const isWithin = (text: string, [from, to]: readonly [number, number]): boolean =>
    /^\d+$/.test(text.trim()) && Number(text) >= from && Number(text) <= to
  return {
    ...(name.trim() === '' ? { name: 'required' } : {}),
    ...(hostUuid === '' ? { hostUuid: 'required' } : {}),
    ...(isWithin(cpu, limits.cpu) ? {} : { cpu: 'badNumber' }),
    ...(isWithin(memoryMiB, limits.memoryMiB) ? {} : { memoryMiB: 'badNumber' }),
    ...(/^(|user|(network|bridge):[A-Za-z0-9_.-]+)$/.test(network.trim()) ? {} : { network: 'badNetwork' }),
  }
}

export const vmInput = ({ name, hostUuid, cpu, memoryMiB, network, description }: VmForm) => ({
  name: name.trim(),
  hostUuid,
  cpu: Number(cpu),
  memoryBytes: Number(memoryMiB) * MiB,
  ...(network.trim() === '' ? {} : { network: network.trim() }),
  ...(description.trim() === '' ? {} : { description: description.trim() }),
})
