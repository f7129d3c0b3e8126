import { render } from 'preact'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'
import { App } from './shell/app.tsx'
import { watchMissing } from './shell/missing.tsx'
import { applyTheme } from './shell/theme.ts'
import { copyExactTimes } from './ui/time.tsx'

applyTheme()
watchMissing()
copyExactTimes()
const root = document.getElementById('app')
if (root) render(<App />, root)
