import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Clusters',
    empty:
      'No clusters yet. Install a package that can form a cluster and add the cluster here, or take over a running one.',
    add: 'Add a cluster',
    name: 'Name',
    managementIp: 'Management address',
    apiPort: 'API port',
    created: 'Added',
    changed: 'Last updated',
    notFound: 'Cluster not found. It may have been removed.',
    toList: 'All clusters',
  },
  zh: {
    title: '集群',
    empty: '还没有集群。请先上传并安装能够组建集群的软件包，再到这里添加；也可以接管一个已在运行的集群。',
    add: '添加集群',
    name: '名称',
    managementIp: '管理地址',
    apiPort: 'API 端口',
    created: '添加时间',
    changed: '更新时间',
    notFound: '未找到该集群，可能已被移除。',
    toList: '全部集群',
  },
})
