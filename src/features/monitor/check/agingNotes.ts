/** Notes that nobody ever confirmed, and those whose last word is long ago. */
import type { Note } from "../../../runtime/services/Note.ts"
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

const dayMs = 86_400_000
const unconfirmedDays = 30
const staleDays = 90

const daysSince = (iso: string, now: number): number => Math.floor((now - Date.parse(iso)) / dayMs)

/** What hooks keep of each session is nobody's to confirm. */
const isLasting = ({ kind }: Note): boolean => kind === "note"

const shown = ({ text }: Note): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

const finding = (category: string, note: Note, what: string): Finding => ({
  category,
  severity: "warning",
  reference: note.note,
  description: `"${shown(note)}" ${what}`,
  recommendation: `See whether it still holds: hooktape notes confirm ${note.note.slice(-8)}, or retract it.`
})

export const staleNotes = ({ notes, now }: Evidence): readonly Finding[] =>
  notes.filter(isLasting).flatMap((note) => {
    const days = daysSince(note.confirmedAt ?? note.at, now)
    return days < staleDays ? [] : [finding("stale", note, `is ${days} days old`)]
  })

export const unconfirmedNotes = ({ notes, now }: Evidence): readonly Finding[] =>
  notes.filter(isLasting).flatMap((note) => {
    const days = daysSince(note.at, now)
    if (note.confirmed > 0 || days < unconfirmedDays || days >= staleDays) return []
    return [finding("unconfirmed", note, `was never confirmed in ${days} days`)]
  })
