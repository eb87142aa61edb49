/** The template of a new platform. The heading above it has the severity and the name of the alert. */
export const defaultTemplate = `{%- if alert.annotations.summary %}{{ alert.annotations.summary }}
{% endif -%}
{%- if alert.annotations.description and alert.annotations.description != alert.annotations.summary %}{{ alert.annotations.description }}
{% endif -%}
- **Status:** {{ alert.status }}
- **Alert:** {{ alert.name }}
{% if alert.severity %}- **Severity:** {{ alert.severity }}
{% endif -%}
{% if alert.labels.instance %}- **Instance:** {{ alert.labels.instance }}
{% endif -%}
- **Since:** {{ alert.since }}
{% if alert.status == "resolved" and alert.until %}- **Resolved:** {{ alert.until }}, after {{ alert.duration }}
{% endif -%}
- **Platform:** {{ platform.name }}
{%- if alert.generatorURL %}
[Source]({{ alert.generatorURL }})
{%- endif %}
`
