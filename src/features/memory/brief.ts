/** What a session is told at its start of those before it. Pure. */
import { oneLine } from "../../state/terminalText.ts"
import { clippedTo, tokensOf } from "./budget.ts"

export interface Briefing {
  /** The last summary of another session, and when it was written (ISO 8601). */
  readonly summary?: { readonly text: string; readonly at: string } | undefined
  /** What the user said of the work, the newest first. */
  readonly feedback: readonly { readonly polarity: string; readonly about: string }[]
  /** Statements of earlier answers, the best believed first. What was recorded before there were any has none. */
  readonly learned?: readonly string[] | undefined
  /** What went wrong and has not gone well since, the newest first. */
  readonly errors: readonly { readonly what: string; readonly error: string }[]
  /** Files of preferences with what stands in them. */
  readonly preferences: readonly { readonly file: string; readonly text: string }[]
}

interface Section {
  readonly title: string
  readonly text: string
}

const sectionsOf = ({
  errors,
  feedback,
  learned = [],
  preferences,
  summary
}: Briefing): readonly Section[] => [
  ...preferences.map(({ file, text }) => ({ title: `Preferences (${file})`, text: text.trim() })),
  {
    title: "What the user said of earlier work",
    text: feedback
      .map(
        ({ about, polarity }) =>
          `- ${polarity === "positive" ? "liked" : "corrected"}: ${oneLine(about, 300)}`
      )
      .join("\n")
  },
  {
    title: "Unresolved when the last session ended",
    text: errors.map(({ error, what }) => `- ${oneLine(what, 120)}: ${oneLine(error, 300)}`).join("\n")
  },
  {
    title: "What earlier answers found out (check what much depends on)",
    text: learned.map((statement) => `- ${oneLine(statement, 300)}`).join("\n")
  },
  {
    title: `The last session${summary === undefined ? "" : ` (${summary.at.slice(0, 10)})`}`,
    text: summary?.text.trim() ?? ""
  }
]

const heading = "From earlier sessions of this project:"

/** At most so many tokens; undefined where there is nothing to tell. Every section gets its share before one gets more. */
export const briefText = (briefing: Briefing, tokens: number): string | undefined => {
  const sections = sectionsOf(briefing).filter(({ text }) => text !== "")
  if (sections.length === 0) return undefined
  let left = tokens - tokensOf(heading) - 1
  const parts: string[] = []
  sections.forEach(({ text, title }, at) => {
    const share = Math.floor(left / (sections.length - at))
    const room = share - tokensOf(title) - 3
    const kept = room <= 0 ? "" : clippedTo(text, room)
    if (kept === "") return
    const part = `## ${title}\n${kept}`
    parts.push(part)
    left -= tokensOf(part) + 1
  })
  return parts.length === 0 ? undefined : [heading, ...parts].join("\n\n")
}
