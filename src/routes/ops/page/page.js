const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

// Each surface is a link of its own: it can be kept, sent and gone back to.
const links = [...document.querySelectorAll('#surfaces a')]
const chosen = links.find((link) => link.search === location.search) ?? links[0]
chosen.setAttribute('aria-current', 'page')
document.title = `${chosen.textContent}: Talkbridge`

window.SwaggerUIBundle({
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
