// Where the scripts of package.json start: an older Node cannot read src/main.ts far enough to say what is wrong.
const OLDEST_NODE = 24
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `talkbridge: needs Node 24 or 26; this is ${process.versions.node} (${process.execPath}). ` +
      'In a checkout, `npm ci` brings the right one, and `npm run talkbridge -- COMMAND` uses it.\n',
  )
  process.exit(1)
}
// The pages at /console and /docs/guide are built: here, where they are not, or were before their sources changed.
if (process.argv[2] === 'serve') {
  await import('./build-console.ts').then((script) => script.freshConsole())
  await import('./build-guide.ts').then((script) => script.freshGuide())
}
await import('../src/main.ts')
