import { render } from 'preact'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'
import { App } from './shell/app.tsx'
import { applyTheme } from './shell/theme.ts'

applyTheme()
const root = document.getElementById('app')
if (root) render(<App />, root)
