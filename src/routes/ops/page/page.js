// The API document as a page. What an operation says is made when it is opened: all of it at once would take seconds.

// Each surface is a link of its own: it can be kept, sent and gone back to.
const links = [...document.querySelectorAll('#surfaces a')]
const chosen = links.find((link) => link.search === location.search) ?? links[0]
chosen.setAttribute('aria-current', 'page')
document.title = `${chosen.textContent}: Talkbridge`

const main = document.querySelector('main')
const response = await fetch(chosen.dataset.document)
if (!response.ok) main.textContent = `The gateway answered ${response.status}. Reload the page later.`
const api = await response.json()

/** An element. Attributes without a value are left out. A string is text, never HTML. */
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) element.setAttribute(attribute, value)
  element.append(...children.flat(Infinity))
  return element
}
const code = (text) => make('code', {}, text)
const pre = (text) => make('pre', { tabindex: '0' }, code(text))
const jsonOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
const between = (parts, word) => parts.flatMap((part, at) => (at === 0 ? [part] : [word, part]))

/** A `details` whose content is made when it is opened. */
const folded = (attributes, summary, contentOf) => {
  const element = make('details', attributes, make('summary', {}, summary))
  element.addEventListener('toggle', () => element.append(make('div', { class: 'body' }, contentOf())), { once: true })
  return element
}

// The Markdown of descriptions.
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*(.+?)\*|\[([^\]]+)\]\(([^)]+)\)/g
const inline = (text) => {
  const parts = []
  let at = 0
  for (const { 0: all, 1: literal, 2: bold, 3: slanted, 4: label, 5: href, index } of text.matchAll(INLINE)) {
    parts.push(text.slice(at, index))
    at = index + all.length
    if (literal) parts.push(code(literal))
    else if (bold) parts.push(make('strong', {}, inline(bold)))
    else if (slanted) parts.push(make('em', {}, slanted))
    else parts.push(make('a', { href }, label))
  }
  return [...parts, text.slice(at)]
}
const tableOf = (lines) => {
  const rows = lines
    .filter((line) => !line.startsWith('|--'))
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells, at) => make('tr', {}, ...cells.map((cell) => make(at === 0 ? 'th' : 'td', {}, inline(cell.trim())))))
  return make('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Table' }, make('table', {}, rows))
}
const prose = (text) =>
  (text ?? '').split('\n\n').map((block) => {
    if (block.startsWith('```')) return pre(block.split('\n').slice(1, -1).join('\n'))
    if (block.startsWith('|')) return tableOf(block.split('\n'))
    return block === '' ? [] : make('p', {}, inline(block))
  })

/** What a reference leads to; all else as it is. */
const resolved = (part) => {
  if (part.$ref === undefined) return part
  const [, ...names] = part.$ref.split('/')
  return names.reduce((at, name) => at[name], api)
}

const isObject = (value) => typeof value === 'object' && value !== null
/** An object whose rule is only which of its fields must be there. */
const isNeed = (schema) => schema.required !== undefined && schema.properties === undefined

const FACTS = 'format pattern default minimum exclusiveMinimum maximum minLength maxLength minItems maxItems'.split(' ')
const typeOf = (schema) => {
  const { $ref, type = 'any', items, additionalProperties: values, properties } = schema
  const orNull = Array.isArray(type) && type.includes('null') ? ' or null' : ''
  const name = $ref?.split('/').at(-1)
  if (name) return [make('a', { href: `#schema-${name}` }, name)]
  if ('const' in schema) return [code(JSON.stringify(schema.const))]
  const choices = schema.enum?.map((value) => code(JSON.stringify(value))) ?? schema.anyOf?.map(typeOf)
  if (choices && !properties) return between(choices, ' or ')
  if (schema.allOf && !properties) return typeOf(schema.allOf[0])
  if (items) return ['array of ', typeOf(items), orNull]
  if (isObject(values)) return ['map of ', typeOf(values), orNull]
  return [[type].flat().join(' or ')]
}
const aboutOf = (schema, isRequired = false) =>
  make(
    'span',
    { class: 'about' },
    typeOf(schema),
    isRequired ? ', required' : '',
    FACTS.filter((fact) => fact in schema).map((fact) => [`, ${fact} `, code(String(schema[fact]))]),
  )
const alternativesOf = (options) => {
  const needs = options.filter(isNeed).map(({ required }) => between(required.map(code), ' and '))
  const objects = options.filter(({ properties }) => properties)
  return [
    needs.length === 0 ? [] : make('p', {}, 'Give one of ', between(needs, ', ')),
    objects.map((one, at) => [at === 0 ? [] : make('p', {}, 'or'), fieldsOf(one)]),
  ]
}
/** The fields of an object, also within arrays and alternatives. A reference is a link elsewhere. */
const fieldsOf = ({ properties = {}, required = [], items, additionalProperties, anyOf = [], allOf = [] }) => {
  const fields = Object.entries(properties).map(([name, field]) =>
    make('li', {}, code(name), ' ', aboutOf(field, required.includes(name)), prose(field.description), fieldsOf(field)),
  )
  return [
    fields.length === 0 ? [] : make('ul', {}, fields),
    [items, additionalProperties, ...allOf].filter(isObject).map(fieldsOf),
    alternativesOf(anyOf),
  ]
}

const examplesOf = ({ example, examples = {} }) =>
  Object.entries(example === undefined ? examples : { example: { value: example } }).map(([name, one]) => ({
    name,
    ...resolved(one),
  }))
const answerOf = ([status, answer]) => {
  const { description, headers = {}, content = {} } = resolved(answer)
  const names = Object.keys(headers)
  const rows = Object.entries(headers).map(([name, header]) => {
    const { description: text, required } = resolved(header)
    return make('li', {}, code(name), required ? ': ' : ' (not always): ', inline(text))
  })
  return make(
    'li',
    {},
    make('strong', {}, status),
    ' ',
    inline(description),
    Object.entries(content).map(([type, media]) => [
      make('p', { class: 'about' }, type, ': ', typeOf(media.schema)),
      foldedExamples(examplesOf(media)),
    ]),
    rows.length === 0
      ? []
      : folded({ class: 'headers' }, `${rows.length} headers: ${names.join(', ')}`, () => make('ul', {}, rows)),
  )
}

/** A key that is tried here stays in this tab. */
const key = document.querySelector('#key')

/** What the fields of a form say, for `fetch`. */
const requestOf = (form, method, path) => {
  const given = [...form.elements].filter(({ dataset, value }) => dataset.in && value !== '')
  const pairsIn = (place) => given.filter(({ dataset }) => dataset.in === place).map(({ name, value }) => [name, value])
  const ids = new Map(pairsIn('path'))
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids.get(name))),
    location.origin,
  )
  for (const [name, value] of pairsIn('query')) url.searchParams.append(name, value)
  const [[, body] = []] = pairsIn('body')
  const headers = { ...Object.fromEntries(pairsIn('header')), ...(body && { 'content-type': 'application/json' }) }
  return { url: url.href, method: method.toUpperCase(), headers, body }
}
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`
/** The same for a terminal, where the key is a variable. */
const curlOf = ({ url, method, headers, body }) =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...(key.value ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')

/** Text as it comes, because a stream may have no end. Of a film or a picture only the size. */
const showBody = async (answer, place) => {
  const type = answer.headers.get('content-type') ?? ''
  if (type !== '' && !/json|text/.test(type)) {
    place.textContent = `${(await answer.blob()).size} bytes of ${type}`
    return
  }
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) place.append(part.value)
  if (/[/+]json\b/.test(type)) place.textContent = jsonOf(JSON.parse(place.textContent))
}
const send = async (request, place, signal) => {
  const status = make('p', { role: 'status' }, 'Sending …')
  place.replaceChildren(pre(curlOf(request)), status)
  const headers = { ...request.headers, ...(key.value && { authorization: `Bearer ${key.value}` }) }
  const options = { ...request, headers, signal, redirect: 'manual', credentials: 'omit', cache: 'no-store' }
  const sentAtMs = performance.now()
  try {
    const answer = await fetch(request.url, options)
    const took = `after ${Math.round(performance.now() - sentAtMs)} ms`
    status.textContent = `${answer.status} ${answer.statusText} ${took}`
    if (answer.type === 'opaqueredirect')
      return void (status.textContent = `A redirect ${took}. Use the command above.`)
    const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`)
    const body = pre('')
    place.append(
      folded({}, `${lines.length} headers`, () => pre(lines.join('\n'))),
      body,
    )
    await showBody(answer, body.firstChild)
  } catch (error) {
    if (!signal.aborted) status.textContent = `No answer: ${error.message}`
  }
}

/** `isTried`: with a field to send it from here. */
const parameterOf = ({ name, in: place, required, description, schema, example }, isTried) => {
  const about = [code(name), ` in ${place}: `, aboutOf(schema, required)]
  if (!isTried) return make('li', {}, about, prose(description))
  const field = make('input', {
    name,
    'data-in': place,
    required: required ? '' : null,
    // The sandbox has the thing that a path names. Optional parts are left to the reader.
    [place === 'path' ? 'value' : 'placeholder']: example,
    autocomplete: 'off',
  })
  return make('li', {}, make('label', {}, about, field), prose(description))
}
const bodyFieldsOf = (examples) => {
  const field = make('textarea', { 'data-in': 'body', rows: '10', 'aria-label': 'Body', spellcheck: 'false' })
  const options = examples.map(({ name, summary }, at) => make('option', { value: at }, summary ?? name))
  const choice = make('select', { 'aria-label': 'Example of a body' }, options)
  const fill = () => void (field.value = jsonOf(examples[choice.value].value))
  choice.addEventListener('change', fill)
  fill()
  return [examples.length > 1 ? choice : [], field]
}
const foldedExamples = (examples) =>
  examples.map(({ name, value }) =>
    folded({}, name === 'example' ? 'Example' : `Example: ${name}`, () => pre(jsonOf(value))),
  )
const bodyOf = ({ required, content: { 'application/json': media } }, isTried) => {
  const schema = resolved(media.schema)
  return [
    make('h3', {}, required ? 'Body' : 'Body (optional)'),
    make('p', {}, aboutOf(media.schema)),
    prose(schema.description),
    fieldsOf(schema),
    (isTried ? bodyFieldsOf : foldedExamples)(examplesOf(media)),
  ]
}
/** The signature of a link is a query that the document has among the security schemes. */
const signatureOf = ({ security }) =>
  security.some(({ signature }) => signature)
    ? [{ ...api.components.securitySchemes.signature, schema: { type: 'string' } }]
    : []

/** `path`: null for what a receiver of webhooks gets, which nobody can send from here. */
const contentOf = (path, method, operation) => () => {
  const isTried = path !== null
  const { description, parameters = [], requestBody, responses } = operation
  const named = [...parameters.map(resolved), ...signatureOf(operation)].map((one) => parameterOf(one, isTried))
  const place = make('div')
  const form = make(
    'form',
    {},
    named.length === 0 ? [] : [make('h3', {}, 'Parameters'), make('ul', {}, named)],
    requestBody ? bodyOf(requestBody, isTried) : [],
    isTried ? [make('button', {}, 'Send'), place] : [],
  )
  let last = new AbortController()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    last.abort()
    last = new AbortController()
    void send(requestOf(form, method, path), place, last.signal)
  })
  return [prose(description), form, make('h3', {}, 'Answers'), make('ul', {}, Object.entries(responses).map(answerOf))]
}

/** What can be opened and searched: an element and all that it says. */
const entries = []
const entryOf = (id, summary, said, content) => {
  const element = folded({ id }, summary, content)
  // What is open is in the address, to be sent to somebody.
  element.addEventListener('toggle', () => element.open && history.replaceState(null, '', `#${id}`))
  entries.push({ element, text: `${id} ${JSON.stringify(said)}`.toLowerCase() })
  return element
}
const operationOf = (path, name, [method, operation]) =>
  entryOf(
    operation.operationId,
    [make('span', { class: 'method' }, method.toUpperCase()), code(name), make('span', {}, operation.summary)],
    [name, operation],
    contentOf(path, method, operation),
  )
const sectionOf = (id, title, text, content) =>
  make('section', { 'aria-labelledby': id }, make('h2', { id }, title), prose(text), content)

const operations = [
  ...Object.entries(api.paths).map(([path, methods]) => [path, path, methods]),
  ...Object.entries(api.webhooks).map(([name, methods]) => [null, name, methods]),
].flatMap(([path, name, methods]) => Object.entries(methods).map((one) => ({ path, name, one })))
const received = operations.filter(({ path }) => path === null)
const sections = [
  ...api.tags.map(({ name: tag, description }) => [
    tag,
    description,
    operations.filter(({ path, one: [, { tags }] }) => path !== null && tags.includes(tag)),
  ]),
  ['What your receiver gets', 'The gateway sends these requests to your webhook URL.', received],
]
  .filter(([, , own]) => own.length > 0)
  .map(([title, text, own]) =>
    sectionOf(
      `tag-${title.toLowerCase().replaceAll(' ', '-')}`,
      title,
      text,
      own.map(({ path, name, one }) => operationOf(path, name, one)),
    ),
  )
const schemas = Object.entries(api.components.schemas).map(([name, schema]) =>
  entryOf(`schema-${name}`, code(name), schema, () => [
    make('p', {}, aboutOf(schema)),
    prose(schema.description),
    fieldsOf(schema),
  ]),
)
sections.push(sectionOf('schemas', 'Schemas', 'The objects that requests and answers have.', schemas))
main.replaceChildren(make('h1', {}, api.info.title), ...prose(api.info.description), ...sections)
document
  .querySelector('#tags')
  .append(
    ...sections.map(({ firstChild: { id, textContent } }) =>
      make('ul', {}, make('li', {}, make('a', { href: `#${id}` }, textContent))),
    ),
  )

const search = document.querySelector('#search')
const filter = () => {
  const words = search.value.toLowerCase().split(/\s+/)
  for (const { element, text } of entries) element.hidden = !words.every((word) => text.includes(word))
  for (const section of sections) section.hidden = !section.querySelector('details:not([hidden])')
}
search.addEventListener('input', filter)

/** Opens what the address names: `#createVideo`, and `#/Videos/createVideo` of older links. */
const openNamed = () => {
  const element = document.getElementById(decodeURIComponent(location.hash.slice(1)).split('/').at(-1))
  if (element instanceof HTMLDetailsElement) element.open = true
  if (element?.closest('[hidden]')) {
    search.value = ''
    filter()
  }
  element?.scrollIntoView()
}
addEventListener('hashchange', openNamed)
openNamed()
