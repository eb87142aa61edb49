import '@cloudscape-design/global-styles/index.css'
import './console.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { finishOidcSignIn } from './data/oidc-sign-in.ts'
import { LanguageProvider } from './i18n/language.tsx'

const root = document.getElementById('wharf')
if (root === null) throw new Error('the page has no element wharf')
// before the first page is chosen by the address
void finishOidcSignIn()
createRoot(root).render(
  <StrictMode>
    <LanguageProvider>
      <App />
    </LanguageProvider>
  </StrictMode>,
)
