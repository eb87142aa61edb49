import type { Language } from '../chat-endpoints/service.ts'

/** The heading above the text has the title of the event. */
const template = (labels: Record<'target' | 'user' | 'time' | 'link', string>): string =>
  `{%- if event.reason %}{{ event.reason }}
{% endif -%}
- **{{ resource.kind }}:** {{ resource.name }}
{% if event.target %}- **${labels.target}:** {{ event.target }}
{% endif -%}
{% if event.user %}- **${labels.user}:** {{ event.user }}
{% endif -%}
- **${labels.time}:** {{ event.time }}
{%- if event.link %}
[${labels.link}]({{ event.link }})
{%- endif %}
`

/** The templates of endpoints that have none of their own. */
export const defaultTemplates: Readonly<Record<Language, string>> = {
  en: template({ target: 'Where', user: 'Started by', time: 'Time', link: 'Open in Wharf' }),
  zh: template({ target: '位置', user: '发起人', time: '时间', link: '在 Wharf 中查看' }),
}
