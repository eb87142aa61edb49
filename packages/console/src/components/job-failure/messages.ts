import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    failed: (title: string) => `${title}: failed`,
    failedAndKept: (title: string) => `${title}: failed; the installed version was kept`,
    cancelled: (title: string) => `${title}: cancelled`,
    cancelledExplanation: 'The job was cancelled, and its completed steps were undone.',
    logEnd: 'End of the log',
    toJob: 'Show job',
    retry: 'Retry',
    retryTitle: (title: string) => `Retry “${title}”?`,
    retryConsequences: 'A new job repeats the operation with the same input. You do not enter passwords or keys again.',
    uploadAgain: 'The file is not stored on the server; upload it again.',
    notStored: 'The input of this job is not stored; start the operation again.',
    othersJob: 'Only an admin or the user who started this job can retry it.',
    notEnded: 'Only a failed or cancelled job can be retried.',
  },
  zh: {
    failed: (title: string) => `${title}：失败`,
    failedAndKept: (title: string) => `${title}：失败，已保留原有版本`,
    cancelled: (title: string) => `${title}：已取消`,
    cancelledExplanation: '任务已取消，已完成的步骤已撤销。',
    logEnd: '日志末尾',
    toJob: '查看任务',
    retry: '重试',
    retryTitle: (title: string) => `重试“${title}”？`,
    retryConsequences: '将创建新任务，以相同的输入重复此操作，无需再次输入密码或密钥。',
    uploadAgain: '文件未保存在服务器上，请重新上传。',
    notStored: '此任务的输入没有保存，请重新执行该操作。',
    othersJob: '只有管理员或发起此任务的用户才能重试。',
    notEnded: '只有失败或已取消的任务才能重试。',
  },
})
