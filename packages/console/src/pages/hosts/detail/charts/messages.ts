import { defineMessages } from '../../../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    usage: 'Load, memory and disk',
    range: 'Period',
    ranges: { hour: '1 hour', day: '24 hours', week: '7 days' },
    load: 'Load',
    loadOf: (processors: string) => `Load (${processors === '1' ? '1 processor' : `${processors} processors`})`,
    memoryOf: (total: string) => `Memory (${total})`,
    diskOf: (total: string) => `Disk (${total})`,
    used: 'Used',
    packages: 'Packages folder',
    noSamples:
      'No samples in this period. Wharf measures connected hosts every five minutes and keeps the samples for seven days.',
  },
  zh: {
    usage: '负载、内存和磁盘',
    range: '时间范围',
    ranges: { hour: '1 小时', day: '24 小时', week: '7 天' },
    load: '负载',
    loadOf: (processors: string) => `负载（${processors} 个处理器）`,
    memoryOf: (total: string) => `内存（${total}）`,
    diskOf: (total: string) => `磁盘（${total}）`,
    used: '已用',
    packages: '软件包目录',
    noSamples: '该时间段内没有采样数据。Wharf 每五分钟采集一次已连接的主机，数据保留七天。',
  },
})
