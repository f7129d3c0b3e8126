const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

// Each surface is a link of its own: it can be kept, sent and gone back to.
const links = [...document.querySelectorAll('#surfaces a[data-document]')]
const chosen = links.find((link) => link.search === location.search) ?? links[0]
chosen.setAttribute('aria-current', 'page')
document.title = `${chosen.textContent}: Talkbridge`

// The headers of an answer are much the same everywhere: their names are enough until somebody asks.
const folded = () => ({
  wrapComponents: {
    headers:
      (Table, { React }) =>
      (props) => {
        const names = props.headers ? props.headers.keySeq().toArray() : []
        if (names.length === 0) return null
        const count = names.length === 1 ? '1 header' : `${names.length} headers`
        const summary = React.createElement('summary', null, `${count}: ${names.join(', ')}`)
        return React.createElement('details', { className: 'headers' }, summary, React.createElement(Table, props))
      },
  },
})

window.SwaggerUIBundle({
  plugins: [folded],
  url: chosen.dataset.document,
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  // Every answer's schema at once takes the page seconds; they are one click away.
  defaultModelRendering: 'example',
  defaultModelExpandDepth: 2,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  // A key that is tried here stays in this tab.
  persistAuthorization: false,
  validatorUrl: null,
  onComplete: () => document.documentElement.classList.add('ready'),
})
