/** How a session's report looks: on a screen in both themes, at any width, and on paper. */
import { Html } from "./html.ts"

export const reportStyle = new Html(`
:root { color-scheme: light dark; --faint: #57606a; --line: #d0d7de; --bad: #b3261e; --warn: #7a5200; --soft: #f6f8fa }
@media (prefers-color-scheme: dark) {
  :root { --faint: #9aa4af; --line: #3d444d; --bad: #ff9a90; --warn: #e3b341; --soft: #161b22 }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h1 { font-size: 1.5rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin-top: 2rem }
h3 { font-size: 1rem; margin: 1.5rem 0 0; overflow-wrap: anywhere }
.faint, footer { color: var(--faint) }
footer { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: .5rem }
dl { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)) }
dl div { background: var(--soft); border-radius: 6px; padding: .5rem .75rem }
dt { color: var(--faint); font-size: .85rem }
dd { margin: 0 }
section { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top }
th { color: var(--faint); font-weight: 600 }
.number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap }
.blocked, .lost, .undelivered { color: var(--bad); font-weight: 600 }
.asked, .failed, .late, .unheard { color: var(--warn); font-weight: 600 }
@media print {
  body { font-size: 11px; margin: 0; max-width: none }
  article, tr { break-inside: avoid }
}
`)
