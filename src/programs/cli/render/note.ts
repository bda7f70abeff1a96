/** Notes as `hooktape notes` draws them: a line for each, or one whole. */
import { confidenceOf, evidenceText, patternKind } from "../../../features/learning/confidence.ts"
import { clock, count, day, shortId, span } from "../../../features/timeline/words.ts"
import type { Note } from "../../../runtime/services/Note.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { pad, type Style } from "./style.ts"
import { table } from "./table.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const longest = 200

const firstLine = (text: string): string => {
  const line = printable(text.trim().split("\n")[0] ?? "")
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

const shared = (value: number): string => value.toFixed(2)

/** Of a pattern what it has come to and why, of any other note what its author said. */
const confidence = (note: Note, now: number): string | undefined => {
  if (note.kind !== patternKind) return note.confidence === null ? undefined : String(note.confidence)
  const said = evidenceText(note.evidence)
  return `${shared(confidenceOf(note, now))}${said === "" ? "" : ` (${printable(said)})`}`
}

const tagged = ({ tags }: Note): string => tags.map((tag) => `#${printable(tag)}`).join(" ")

export const drawNotes = (notes: readonly Note[], now: number, { style, width }: Drawing): string =>
  table(
    [{ title: "NOTE" }, { title: "KIND" }, { title: "AGE", align: "right" }, { title: "TEXT" }],
    notes.map((note) => {
      const kind = note.kind === patternKind ? `${note.kind} ${shared(confidenceOf(note, now))}` : note.kind
      const text = [firstLine(note.text), style.accent(tagged(note))].filter((part) => part !== "").join(" ")
      return [
        shortId(note.note),
        printable(kind),
        span(now - Date.parse(note.at)),
        note.retracted === null ? text : style.faint(`${text} (retracted)`)
      ]
    }),
    { style, width }
  )

export const drawNote = (note: Note, now: number, { style }: Drawing): string => {
  const at = Date.parse(note.at)
  const share = (value: number | null) => (value === null ? undefined : String(value))
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["note", note.note],
    ["at", `${day(at)} ${clock(at)}`],
    ["kind", printable(note.kind)],
    ["tags", tagged(note) || undefined],
    ["importance", share(note.importance)],
    ["confidence", confidence(note, now)],
    ["source", printable(note.source)],
    ["project", note.project === null ? undefined : printable(note.project)],
    ["session", note.session === null ? undefined : printable(note.session)],
    ["confirmed", note.confirmed === 0 ? undefined : count(note.confirmed, "time")],
    ["retracted", note.retracted === null ? undefined : printable(note.retracted) || "yes"]
  ]
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${style.faint(pad(name, 11))}${value}\n`]
  )
  return `${lines.join("")}\n${printableLines(note.text).trimEnd()}\n`
}
