// Where the scripts of package.json start: an older Node cannot read src/main.ts far enough to say what is wrong.
const OLDEST_NODE = 24
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `talkbridge: needs Node 24 or 26; this is ${process.versions.node} (${process.execPath}). ` +
      'In a checkout, `npm ci` brings the right one, and `npm run talkbridge -- COMMAND` uses it.\n',
  )
  process.exit(1)
}
await import('../src/main.ts')
