import type { Language } from '../chat-endpoints/service.ts'

/** The heading above the text has the title of the event. */
const template = (labels: Record<'target' | 'keyId' | 'user' | 'keyUser' | 'time' | 'link', string>): string =>
  `{%- assign target = "${labels.target}" -%}
{%- assign user = "${labels.user}" -%}
{%- if event.name == "AccessKeyExpires" -%}
{%- assign target = "${labels.keyId}" -%}
{%- assign user = "${labels.keyUser}" -%}
{%- endif -%}
{%- if event.reason %}{{ event.reason }}
{% endif -%}
- **{{ resource.kind }}:** {{ resource.name }}
{% if event.target %}- **{{ target }}:** {{ event.target }}
{% endif -%}
{% if event.user %}- **{{ user }}:** {{ event.user }}
{% endif -%}
- **${labels.time}:** {{ event.time }}
{%- if event.link %}
[${labels.link}]({{ event.link }})
{%- endif %}
`

/** The templates of endpoints that have none of their own. */
export const defaultTemplates: Readonly<Record<Language, string>> = {
  en: template({
    target: 'Where',
    keyId: 'Key ID',
    user: 'Started by',
    keyUser: 'User',
    time: 'Time',
    link: 'Open in Wharf',
  }),
  zh: template({
    target: '位置',
    keyId: '密钥 ID',
    user: '发起人',
    keyUser: '用户',
    time: '时间',
    link: '在 Wharf 中查看',
  }),
}
