const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

window.SwaggerUIBundle({
  url: '/openapi.json',
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
