/**
 * Globs over paths, in time proportional to pattern × path whatever the pattern: all ways through it are followed at
 * once, none is taken back.
 *
 * `*` and `?` stay within a segment, `**` crosses them, `{a,b}` are alternatives, `[a-z]` and `[!a-z]` one character.
 * Names that begin with a dot match like any other: a guard for `**` must also guard `.env`.
 */

type Test = (char: string) => boolean
/** One step of a compiled pattern: consume a character, or go on at one or two other steps without. */
type Step = { readonly test: Test } | { readonly goto: number[] } | "end"

const inSegment: Test = (char) => char !== "/"
const anything: Test = () => true

const classTest = (body: string): Test => {
  const negated = body[0] === "!" || body[0] === "^"
  const members = negated ? body.slice(1) : body
  const ranges: [string, string][] = []
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? ""
    const last = members[at + 2]
    if (members[at + 1] === "-" && last !== undefined) {
      ranges.push([from, last])
      at += 2
    } else ranges.push([from, from])
  }
  return (char) => char !== "/" && ranges.some(([from, to]) => char >= from && char <= to) !== negated
}

/** Where the bracket or brace that opens at `from` closes, or -1. */
const closing = (glob: string, from: number, open: string, close: string): number => {
  let depth = 0
  for (let at = from; at < glob.length; at++) {
    if (glob[at] === "\\") at++
    else if (glob[at] === open) depth++
    else if (glob[at] === close && --depth === 0) return at
  }
  return -1
}

const alternatives = (body: string): string[] => {
  const parts = [""]
  let depth = 0
  for (let at = 0; at < body.length; at++) {
    const char = body[at] ?? ""
    if (char === "{") depth++
    if (char === "}") depth--
    if (char === "," && depth === 0) parts.push("")
    else parts[parts.length - 1] += char === "\\" ? char + (body[++at] ?? "") : char
  }
  return parts
}

const repeat = (steps: Step[], test: Test): void => {
  const fork = steps.length
  steps.push({ goto: [fork + 1, fork + 3] }, { test }, { goto: [fork] })
}

const choose = (steps: Step[], options: readonly string[]): void => {
  const fork: number[] = []
  const ends: number[][] = []
  steps.push({ goto: fork })
  for (const option of options) {
    fork.push(steps.length)
    emit(steps, option)
    const end: number[] = []
    ends.push(end)
    steps.push({ goto: end })
  }
  for (const end of ends) end.push(steps.length)
}

const emit = (steps: Step[], glob: string): void => {
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? ""
    if (glob.startsWith("**/", at) && (at === 0 || glob[at - 1] === "/")) {
      // Any number of whole segments, none included: skip them, or leave only behind a slash.
      const fork = steps.length
      steps.push(
        { goto: [fork + 1, fork + 5] },
        { goto: [fork + 2, fork + 4] },
        { test: anything },
        { goto: [fork + 1] }
      )
      steps.push({ test: (next) => next === "/" })
      at += 2
    } else if (glob.startsWith("**", at)) {
      repeat(steps, anything)
      at++
    } else if (char === "*") repeat(steps, inSegment)
    else if (char === "?") steps.push({ test: inSegment })
    else if (char === "[" && glob.indexOf("]", at + 2) > 0) {
      const end = glob.indexOf("]", at + 2)
      steps.push({ test: classTest(glob.slice(at + 1, end)) })
      at = end
    } else if (char === "{" && closing(glob, at, "{", "}") > 0) {
      const end = closing(glob, at, "{", "}")
      choose(steps, alternatives(glob.slice(at + 1, end)))
      at = end
    } else {
      const literal = char === "\\" ? (glob[++at] ?? "\\") : char
      steps.push({ test: (next) => next === literal })
    }
  }
}

/** Adds a step and all that it leads to without consuming anything. */
const reach = (steps: readonly Step[], set: Set<number>, from: number): void => {
  const left = [from]
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (set.has(at)) continue
    set.add(at)
    const step = steps[at]
    if (typeof step === "object" && "goto" in step) left.push(...step.goto)
  }
}

const run = (steps: readonly Step[], path: string): boolean => {
  let here = new Set<number>()
  reach(steps, here, 0)
  for (const char of path) {
    const next = new Set<number>()
    for (const at of here) {
      const step = steps[at]
      if (typeof step === "object" && "test" in step && step.test(char)) reach(steps, next, at + 1)
    }
    if (next.size === 0) return false
    here = next
  }
  return here.has(steps.length - 1)
}

export const globMatches = (glob: string, path: string): boolean => {
  const steps: Step[] = []
  emit(steps, glob)
  steps.push("end")
  return run(steps, path)
}
