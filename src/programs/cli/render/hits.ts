/** What `hooktape search` found: for each a line that says what it is, and the part that fits. */
import type { Hit } from "../../../features/search/find.ts"
import { shortId, span } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Style } from "./style.ts"
import { wrapped } from "./wrap.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const paints = { note: "accent", summary: "accent", fix: "good", error: "bad", prompt: "quiet" } as const

const excerptOf = ({ excerpt }: Hit, style: Style): string =>
  printable(excerpt.replace(/\s+/g, " ").trim()).replace(/«([^«»]*)»/g, (_, word: string) =>
    style.strong(word)
  )

export const drawHits = (hits: readonly Hit[], now: number, { style, width }: Drawing): string =>
  hits
    .map((hit) => {
      const where = hit.note === null ? `fact ${hit.position}` : `note ${shortId(hit.note)}`
      const head = `${style[paints[hit.kind]](hit.kind)} ${style.faint(`${span(now - hit.at)} ago · ${where}`)}`
      const inner = width === undefined ? undefined : width - 2
      return [head, ...wrapped(excerptOf(hit, style), inner).map((line) => `  ${line}`)].join("\n")
    })
    .join("\n\n")
    .concat("\n")
