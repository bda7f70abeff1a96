/** Hooks as `hooktape hooks list` draws them. */
import { relative } from "node:path"
import { count, milliseconds, span } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { ListedHook } from "../commands/hooks.ts"
import type { Style } from "./style.ts"
import { table } from "./table.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const sourceOf = ({ source }: ListedHook, project: string): string =>
  printable(source.startsWith(`${project}/`) ? relative(project, source) : source)

const stateOf = ({ enabled, sessions, why }: ListedHook, style: Style): string => {
  const plain = why.endsWith("unless somebody says otherwise")
  const word = enabled ? style.good("on") : style.warn("off")
  const others = sessions.filter((one) => one.enabled !== enabled).length
  const elsewhere = others === 0 ? "" : style.faint(` (otherwise in ${count(others, "session")})`)
  return `${word}${plain ? "" : style.faint(` ${printable(why)}`)}${elsewhere}`
}

const lastOf = ({ last }: ListedHook, now: number, style: Style): string => {
  if (last === null) return style.faint("never ran")
  const ago = span(now - Date.parse(last.at))
  return last.outcome === "succeeded" ? `${ago} ago` : style.warn(`${last.outcome} ${ago} ago`)
}

const tookOf = ({ p50, p95 }: ListedHook): string =>
  p50 === null || p95 === null ? "" : `${milliseconds(p50)} / ${milliseconds(p95)}`

/** Nothing where there is none: what is not there needs no look. */
const numberOf = (many: number): string => (many === 0 ? "" : String(many))

/** Of the time that agents waited. */
const shareOf = ({ share }: ListedHook): string => {
  if (share === null) return ""
  return share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`
}

export const drawHooks = (
  hooks: readonly ListedHook[],
  project: string,
  now: number,
  { style, width }: Drawing
): string =>
  table(
    [
      { title: "HOOK" },
      { title: "PRIORITY", align: "right" },
      { title: "LAST" },
      { title: "RUNS", align: "right" },
      { title: "BLOCKED", align: "right" },
      { title: "FAILED", align: "right" },
      { title: "P50 / P95", align: "right" },
      { title: "SHARE", align: "right" },
      { title: "EVENTS, STATE, SOURCE" }
    ],
    hooks.map((hook) => [
      style.strong(printable(hook.name)),
      String(hook.priority),
      lastOf(hook, now, style),
      numberOf(hook.runs),
      style.bad(numberOf(hook.blocked)),
      style.warn(numberOf(hook.failures)),
      tookOf(hook),
      shareOf(hook),
      [
        printable(hook.events.join(", ")) + (hook.background ? " (background)" : ""),
        stateOf(hook, style),
        style.faint(sourceOf(hook, project))
      ].join(" · ")
    ]),
    { style, width }
  )
