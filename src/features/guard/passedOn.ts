/** Which files come out of a pipeline whole, or nearly so: what `cat x.sh | sh`, `tail -n +2 x.sh | sh` and `sed s/a/b/ x.sh | sh` run. */
import { argumentsOf, expand, first } from "./expand.ts"
import type { Redirect, Script, Stage, Word } from "./script.ts"
import type { ShellState } from "./shellState.ts"
import { unwrap } from "./unwrap.ts"

export const readFrom = (redirects: readonly Redirect[], state: ShellState): string | undefined => {
  const from = redirects.find(({ operator }) => operator === "<")
  return from && expand(from.target, state)[0]
}

interface Filter {
  /** Letters whose value is the next word. */
  readonly valued: string
  /** It takes what it does to the lines as its first word, unless one of these letters has given it. */
  readonly told?: string
}

/** What goes through them is changed or shortened, and still most of what goes in: what nobody ever means is looked for in all of it. */
const filters: Readonly<Record<string, Filter>> = {
  cat: { valued: "" },
  tac: { valued: "" },
  tee: { valued: "" },
  head: { valued: "nc" },
  tail: { valued: "nc" },
  dos2unix: { valued: "" },
  envsubst: { valued: "", told: "" },
  sed: { valued: "efl", told: "ef" },
  grep: { valued: "efABCm", told: "ef" },
  egrep: { valued: "efABCm", told: "ef" },
  fgrep: { valued: "efABCm", told: "ef" }
}

/** Lines that say nothing to a shell: comments and empty ones. All else that is left out may be what would be stopped. */
const leavesRemarks = (texts: readonly string[]): boolean =>
  texts.some((text) => /^-[a-zA-Z]*v/.test(text)) &&
  texts.some((text) => /^\^[^a-z]*$/i.test(text.replaceAll(/\\s|\[\[:(?:space|blank):\]\]/g, "")))

/** The files that a filter is told to read; undefined where it is none. */
const filesOf = (name: string, texts: readonly string[]): readonly string[] | undefined => {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (filter === undefined || (name.endsWith("grep") && !leavesRemarks(texts))) return undefined
  const operands: string[] = []
  let isTold = filter.told === undefined
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? ""
    if (text === "--") {
      operands.push(...texts.slice(at + 1))
      break
    }
    if (!/^-./.test(text)) {
      operands.push(text)
      continue
    }
    const letter = /^-[a-zA-Z]*([a-zA-Z])$/.exec(text)?.[1]
    if (text.startsWith("--expression") || text.startsWith("--regexp")) isTold = true
    if (letter === undefined || text.startsWith("--")) continue
    if (filter.told?.includes(letter)) isTold = true
    if (filter.valued.includes(letter)) at++
  }
  // What `tee` names is written, not read.
  if (name === "tee") return []
  return operands.slice(isTold ? 0 : 1).filter((text) => text !== "-")
}

const filesIn = (stage: Stage, state: ShellState): readonly string[] | undefined => {
  const { name, args = [] } = unwrap(argumentsOf(stage.words, state), state.budget) ?? {}
  // `<x.sh` alone.
  return name === undefined ? [] : filesOf(name, args.map(first))
}

/** The files that go through a pipeline, one after the other. */
export const passedOn = ([stage, ...further]: readonly Stage[], state: ShellState): readonly string[] => {
  if (stage === undefined || stage.inner !== undefined) return []
  // What is between reads what it is given.
  if (!further.every((one) => filesIn(one, state)?.length === 0)) return []
  const files = filesIn(stage, state)
  if (files === undefined) return []
  const read = readFrom(stage.redirects, state)
  return files.length === 0 && read !== undefined ? [read] : files
}

const printedBy = ([pipeline, another]: Script, state: ShellState): readonly string[] =>
  pipeline === undefined || another !== undefined ? [] : passedOn(pipeline, state)

/** `"$(cat x.sh)"`, `<(cat x.sh)`. */
export const standsFor = (word: Word | undefined, state: ShellState): readonly string[] => {
  // What quotes bring is an empty text.
  const [part, more] = word?.filter((one) => one.kind !== "text" || one.text !== "") ?? []
  return part?.kind === "output" && more === undefined ? printedBy(part.script, state) : []
}
