/** The style of the report's page: light and dark, wide and narrow, on screen and on paper. No colour says anything alone. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f5f1; --card: #ffffff; --ink: #1c1e22; --soft: #575c66; --line: #dcdad3; --track: #e9e7e0;
  --ok: #2c7a4b; --warn: #a86400; --bad: #b0302a; --unknown: #6a7080; --accent: #2456a6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131519; --card: #1b1e24; --ink: #ebeae6; --soft: #a7adb8; --line: #30343d; --track: #2a2e36;
    --ok: #5fc48a; --warn: #e6ab45; --bad: #f2877d; --unknown: #9ba3b2; --accent: #8db6f5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 32px 64px; }
h1 { font-size: 34px; line-height: 1.15; margin: 0 0 6px; letter-spacing: -0.01em; }
h1 .arrow { color: var(--soft); font-weight: 400; }
h2 { font-size: 20px; margin: 0 0 4px; }
p { margin: 0 0 12px; }
.lead { color: var(--soft); margin-bottom: 24px; }
.what { color: var(--soft); font-size: 14.5px; max-width: 90ch; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 22px 24px; margin-top: 20px; }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 13px; }
code { overflow-wrap: anywhere; }
svg { display: block; width: 100%; }
.whole svg { height: 34px; border-radius: 6px; }
.stack svg { height: 14px; border-radius: 3px; }
.meter svg { height: 10px; border-radius: 3px; }
.ok { fill: var(--ok); } .warn { fill: var(--warn); } .bad { fill: var(--bad); } .unknown { fill: var(--unknown); }
.track { fill: var(--track); } .accent { fill: var(--accent); } .gap { fill: var(--card); } .weave { stroke: var(--card); }
.cards { list-style: none; display: grid; grid-template-columns: repeat(4, 1fr); gap: 14px; margin: 18px 0 0; padding: 0; }
.cards li { border-left: 4px solid var(--line); padding: 2px 0 2px 12px; }
.cards .is-ok { border-color: var(--ok); } .cards .is-warn { border-color: var(--warn); }
.cards .is-bad { border-color: var(--bad); } .cards .is-unknown { border-color: var(--unknown); }
.cards b { display: block; font-size: 28px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.cards .key { display: block; font-size: 14.5px; } .cards .count { color: var(--soft); font-size: 14px; }
.key svg { display: inline-block; width: 14px; height: 14px; margin-right: 6px; vertical-align: -2px; border-radius: 3px; }
table { width: 100%; border-collapse: collapse; margin-top: 12px; font-size: 14.5px; }
th, td { text-align: left; padding: 9px 12px 9px 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 600; font-size: 13px; padding-top: 0; vertical-align: bottom; }
th:last-child, td:last-child { padding-right: 0; }
tbody th { font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bars { width: 200px; padding-top: 14px; } .soft { color: var(--soft); font-weight: 400; font-size: 13.5px; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 9px; font-size: 12.5px; white-space: nowrap; }
.tag.is-bad { color: var(--bad); } .tag.is-warn { color: var(--warn); } .tag.is-ok { color: var(--ok); }
td ol { margin: 0; padding-left: 18px; } td ol li { padding-bottom: 4px; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; margin: 12px 0 0; overflow-x: auto; }
pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.notes { margin: 10px 0 0; padding-left: 20px; } .notes li { padding-bottom: 4px; }
footer { color: var(--soft); font-size: 13.5px; margin-top: 28px; }
@media (max-width: 720px) {
  main { padding: 24px 14px 40px; }
  h1 { font-size: 26px; }
  section { padding: 18px 16px; border-radius: 10px; }
  .cards { grid-template-columns: 1fr 1fr; gap: 16px 10px; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, th, td { display: block; }
  tr { border-top: 1px solid var(--line); padding: 12px 0; }
  tbody tr:first-child { border-top: 0; }
  th, td, th:last-child, td:last-child { border: 0; padding: 2px 0; }
  td.number { text-align: left; display: inline-block; padding-right: 18px; }
  td[data-label]::before { content: attr(data-label) ' '; color: var(--soft); font-size: 13.5px; }
  .bars { width: auto; padding: 6px 0; }
  .bars[data-label]::before { display: block; padding-bottom: 3px; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --track: #eee; --ok: #2c7a4b; --warn: #a86400; --bad: #b0302a; --unknown: #6a7080; }
  body { font-size: 12px; } main { padding: 0; max-width: none; }
  section { border: 0; padding: 0; margin-top: 22px; } tr, .cards li { break-inside: avoid; } h2 { break-after: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
