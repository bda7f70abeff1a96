/** What a call may have changed, as far as it can be told which problem that was good for. Pure. */
import type { Effect } from "../../../machines/chain.ts"
import type { Part } from "../checks/commandLine.ts"
import type { Judged } from "../checks/judge.ts"
import type { ToolOutcome } from "../checks/ToolOutcome.ts"
import { changedLines } from "./changedLines.ts"
import { filesTakenOut, testsTakenOut } from "./takenOut.ts"

export interface Step extends Effect {
  /** The count of the session's calls at which it began. */
  readonly n: number
  /** The files it wrote or, for a command, names. */
  readonly files: readonly string[]
  /** The words it holds, each once, in small letters. */
  readonly words: readonly string[]
  /** Of a command: the program that acts last, with its task. What is done again in the same way takes the place of what was done before. */
  readonly manner: string
  /** Of a command: how many of its programs act. */
  readonly acts: number
  /** Of a command: it changes files as an edit does. */
  readonly edits: boolean
  /** Of an edit: the lines that it puts in and takes out. */
  readonly puts: readonly string[]
  readonly takes: readonly string[]
  /** The tests that it takes out, by their names. */
  readonly drops: readonly string[]
  /** The files that it removes. */
  readonly removes: readonly string[]
  /** It puts in what makes a check look away. */
  readonly suppresses: boolean
}

const longestWhat = 300
const maxWords = 160

const suppressing =
  /\.skip\(|\bxit\(|\bxdescribe\(|@pytest\.mark\.(?:skip|xfail)|unittest\.skip|@ts-(?:ignore|expect-error|nocheck)|eslint-disable|biome-ignore|# ?(?:noqa|type: ignore|pylint: disable)|\/\/ ?nolint|#\[ignore\]|#\[allow\(|\bt\.Skip\(|@Disabled|@Ignore\b|--no-verify\b|@tag :skip/

/** Names fall apart where their parts begin: `getUserName` speaks of users too. */
export const wordsIn = (text: string): readonly string[] => {
  const found = new Set<string>()
  for (const word of text.match(/[\p{Letter}\p{Number}_]{3,}/gu) ?? []) {
    found.add(word.toLowerCase())
    for (const part of word.split(/_|(?<=[a-z0-9])(?=[A-Z])/))
      if (part.length > 3) found.add(part.toLowerCase())
    if (found.size >= maxWords) break
  }
  return [...found].slice(0, maxWords)
}

const filesNamed = (text: string): readonly string[] =>
  [...new Set(text.match(/[\w@./\\~+-]*[\w-]\.[A-Za-z]\w{0,9}\b/g) ?? [])].slice(0, 40)

const changes =
  /create|update|delete|push|merge|write|set|add|remove|move|edit|replace|insert|install|publish|apply/i

const kindOf = ({ kind, name, told }: ToolOutcome, { line, verdict }: Judged): Effect["kind"] | undefined => {
  if (verdict === "fail" || told === "stopped" || told === "denied" || told === "rejected") return undefined
  if (kind === "edit") return told === "ok" ? "edit" : undefined
  if (kind === "mcp") return changes.test(name) ? "command" : undefined
  // What is built may be what was missing.
  const acts = line?.parts.some(
    ({ purpose, role }) => role === "act" || (role === "check" && purpose === "build")
  )
  return acts === true ? "command" : undefined
}

const isActing = ({ role }: Part): boolean => role === "act"

const lastAct = ({ line }: Judged): Part | undefined => line?.parts.findLast(isActing)

export const mannerOf = ({ name, task }: Pick<Part, "name" | "task">): string => `${name} ${task}`.trim()

const editors =
  /^(?:sed|perl|python|node|ruby|awk|cat|printf|echo|tee|patch|mv|cp|rm|ln|git (?:apply|checkout|restore|revert|stash pop|merge|cherry-pick))\b/
const interpreters = /^(?:perl|python|node|ruby)$/
const inline = /^-(?:\w*[ce]|p?i\S*)\b/
const writers = /^(?:cat|printf|echo|awk|tee)$/

/** A script in a file is somebody's program; one that stands in the line was written to change something. */
const isEditing = ({ document, name, options, task, writes }: Part): boolean => {
  if (!editors.test(mannerOf({ name, task }))) return false
  if (interpreters.test(name)) return document !== "" || options.some((one) => inline.test(one))
  return !writers.test(name) || writes.length > 0
}

/** One line, as it is shown and compared. */
export const whatOf = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, longestWhat)

export const noLines = { puts: [], takes: [] } as const

/** Undefined where nothing was changed: looking around, checking and failing repair nothing. */
export const stepOf = (outcome: ToolOutcome, judged: Judged, n: number, at: number): Step | undefined => {
  const kind = kindOf(outcome, judged)
  if (kind === undefined) return undefined
  const { command, id, name, paths, took, wrote } = outcome
  const what = whatOf(kind === "edit" ? paths.join(", ") : (command ?? name))
  const last = kind === "edit" ? undefined : lastAct(judged)
  const changed = kind === "edit" ? changedLines(took, wrote) : noLines
  // What is taken out speaks of a problem as well as what is put in.
  const text = kind === "edit" ? `${paths.join(" ")} ${changed.takes.join("\n")} ${wrote}` : wrote
  return {
    toolUseId: id,
    kind,
    what,
    at,
    n,
    files: kind === "edit" ? paths : filesNamed(wrote),
    words: wordsIn(text),
    acts: judged.line?.parts.filter(isActing).length ?? 0,
    manner: last === undefined ? "" : mannerOf(last),
    edits: last !== undefined && isEditing(last),
    ...changed,
    drops: testsTakenOut(took, wrote),
    removes: filesTakenOut(judged.line?.parts ?? [], kind === "edit" ? wrote : ""),
    suppresses: suppressing.test(wrote)
  }
}

export const effectOf = ({ at, kind, toolUseId, what }: Step): Effect => ({ toolUseId, kind, what, at })
