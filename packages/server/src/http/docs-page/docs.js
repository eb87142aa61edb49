// The page reads well without this; it adds search, copy buttons, the theme and the place in the contents.

const html = document.documentElement
const all = (selector, root = document) => [...root.querySelectorAll(selector)]

// Address: the examples name the server that is being read
const address = new URL(html.dataset.base, location.href).href.replace(/\/$/, '')
for (const place of all('[data-address]')) place.textContent = address

// Theme
const themeButton = document.getElementById('theme')
const isDark = () =>
  (html.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
function showTheme(theme) {
  if (theme === 'dark' || theme === 'light') html.dataset.theme = theme
  themeButton.textContent = isDark() ? 'Light' : 'Dark'
}
// a browser that keeps nothing throws here, and the system's theme is fine
const remembered = (work) => {
  try {
    return work()
  } catch {
    return null
  }
}
themeButton.hidden = false
themeButton.addEventListener('click', () => {
  const theme = isDark() ? 'light' : 'dark'
  remembered(() => localStorage.setItem('wharf-docs-theme', theme))
  showTheme(theme)
})
showTheme(remembered(() => localStorage.getItem('wharf-docs-theme')))

// Copy
for (const figure of all('figure.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  // the clipboard is there on https and on this machine only
  if (navigator.clipboard) figure.querySelector('figcaption').append(button)
}

// Search: every word must occur in the operation, its path or one of its fields
const search = document.getElementById('search')
const linkOf = new Map(all('nav.side a').map((link) => [link.getAttribute('href').slice(1), link]))
const articles = all('main article').map((article) => ({
  article,
  words: `${article.id} ${article.querySelector('.text')?.textContent ?? article.textContent}`.toLowerCase(),
  item: linkOf.get(article.id)?.parentElement,
}))
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const { article, words: text, item } of articles) {
    article.hidden = !words.every((word) => text.includes(word))
    if (item) item.hidden = article.hidden
  }
  for (const section of all('main > section')) {
    section.hidden = all('article', section).every((article) => article.hidden)
    const item = linkOf.get(section.id)?.closest('li')
    if (item) item.hidden = section.hidden
  }
  for (const list of all('nav.side ul')) {
    const empty = all('li', list).every((item) => item.hidden)
    list.hidden = empty
    list.previousElementSibling.hidden = empty
  }
  document.getElementById('nothing').hidden = all('main > section').some((section) => !section.hidden)
  html.classList.toggle('searching', words.length > 0)
}
search.addEventListener('input', () => {
  filter()
  scrollTo({ top: 0 })
})
search.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    search.value = ''
    filter()
    search.blur()
  }
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === search) return
  event.preventDefault()
  search.focus()
  search.select()
})
// a link to something that the search hides ends the search
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target || target.offsetParent !== null) return
  search.value = ''
  filter()
  target.scrollIntoView()
})

// The contents follow the reader
let current
const visible = new Set()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) isIntersecting ? visible.add(target) : visible.delete(target)
    const first = articles.find(({ article }) => visible.has(article))
    const link = first && (linkOf.get(first.article.id) ?? linkOf.get(first.article.closest('section').id))
    if (!link || link === current) return
    current?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'location')
    link.scrollIntoView({ block: 'nearest' })
    current = link
  },
  { rootMargin: '-80px 0px -60% 0px' },
)
for (const { article } of articles) observer.observe(article)
