/** What a call was about, as it reads best. Pure. */
import { relative, sep } from "node:path"
import { printable } from "../../state/terminalText.ts"
import type { Call } from "./Call.ts"

/** A file of the project by its place in it. */
const place = (path: string, project: string | null): string =>
  project !== null && path.startsWith(`${project}${sep}`) ? relative(project, path) : path

/** What the call was about, as it reads best: commands and texts in quotes, files as they are. */
export const subjectText = ({
  event,
  project,
  subject,
  tool
}: Pick<Call, "event" | "project" | "subject" | "tool">): string => {
  if (subject === null) return printable(tool?.name ?? "")
  const quoted = `"${printable(subject)}"`
  if (tool === null) return event === "prompt.submit" ? quoted : printable(subject)
  const isText = tool.kind === "shell" || tool.kind === "search" || tool.kind === "task"
  return `${printable(tool.name)} ${isText ? quoted : printable(place(subject, project))}`.trimStart()
}
