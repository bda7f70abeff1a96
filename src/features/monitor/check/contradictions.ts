/** Notes of one project that say opposite things. */
import type { Note } from "../../../runtime/services/Note.ts"
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

const negations = new Set([
  "not",
  "never",
  "no",
  "don't",
  "dont",
  "avoid",
  "without",
  "cannot",
  "can't",
  "isn't",
  "doesn't"
])
/** They say neither what nor whether. */
const empty = new Set(
  "a an the is are be to of in on for and or it this that we you i with always must should do does use uses using".split(
    " "
  )
)

interface Said {
  readonly note: Note
  readonly words: ReadonlySet<string>
  readonly negated: boolean
  /** `x is y`, `x: y`: what is said of what. */
  readonly of: string | undefined
  readonly value: string | undefined
}

const most = 500
const longest = 400

const read = (note: Note): Said => {
  const text = note.text.slice(0, longest).toLowerCase()
  const words = text.match(/[\p{Letter}\p{Number}_.'/-]+/gu) ?? []
  const assigned = /^([^:=\n]{3,80}?)(?:\s+is\s+|\s+are\s+|\s*[:=]\s+)([^\n]{1,120})$/u.exec(text.trim())
  return {
    note,
    words: new Set(words.filter((word) => !empty.has(word) && !negations.has(word))),
    negated: words.some((word) => negations.has(word)),
    of: assigned?.[1]?.trim(),
    value: assigned?.[2]?.replace(/[.!\s]+$/u, "")
  }
}

const alike = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / Math.max(1, a.size + b.size - shared)
}

const disagree = (a: Said, b: Said): boolean => {
  if (a.note.project !== b.note.project) return false
  if (a.of !== undefined && a.of === b.of && a.value !== b.value) return true
  return (
    a.negated !== b.negated && Math.min(a.words.size, b.words.size) >= 2 && alike(a.words, b.words) >= 0.7
  )
}

const quoted = (text: string): string => `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`

export const contradictions = ({ notes }: Evidence): readonly Finding[] => {
  const said = notes
    .slice(-most)
    .filter(({ kind }) => kind === "note")
    .map(read)
  return said.flatMap((later, at) => {
    const earlier = said.slice(0, at).find((one) => disagree(one, later))
    if (earlier === undefined) return []
    return [
      {
        category: "contradiction",
        severity: "critical" as const,
        reference: later.note.note,
        description: `two notes disagree: ${quoted(earlier.note.text)} and ${quoted(later.note.text)}`,
        recommendation: `Take back the one that does not hold: hooktape notes retract ${earlier.note.note.slice(-8)} (or ${later.note.note.slice(-8)}).`
      }
    ]
  })
}
