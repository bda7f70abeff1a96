/** A unified diff of two texts, for looking at a change before it is made. */

interface Line {
  readonly sign: " " | "-" | "+"
  readonly text: string
}

const context = 3
/** Beyond this many cells the middle is shown as replaced: still true, only longer. */
const cells = 4_000_000

/** Lines with their ends, so that a changed line end or a missing one is a difference. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const middle = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  const gone = before.map((text): Line => ({ sign: "-", text }))
  const come = after.map((text): Line => ({ sign: "+", text }))
  if (before.length * after.length > cells) return [...gone, ...come]
  const width = after.length + 1
  const longest = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const same = before[i] === after[j]
      const below = longest[(i + 1) * width + j] ?? 0
      const right = longest[i * width + j + 1] ?? 0
      longest[i * width + j] = same ? (longest[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right)
    }
  }
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    const text = before[i] ?? ""
    if (text === after[j]) {
      lines.push({ sign: " ", text })
      i += 1
      j += 1
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) {
      lines.push({ sign: "-", text })
      i += 1
    } else {
      lines.push({ sign: "+", text: after[j] ?? "" })
      j += 1
    }
  }
  return [...lines, ...gone.slice(i), ...come.slice(j)]
}

const compare = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1
  const kept = (texts: readonly string[]): readonly Line[] => texts.map((text) => ({ sign: " ", text }))
  return [
    ...kept(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...kept(before.slice(before.length - tail))
  ]
}

const range = (start: number, length: number): string => {
  // A range of no lines is named by the line before it.
  const first = length === 0 ? start : start + 1
  return length === 1 ? `${first}` : `${first},${length}`
}

const show = ({ sign, text }: Line): string =>
  text.endsWith("\n") ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`

/** Empty when there is no difference. `undefined` is a file that is not there. */
export const unifiedDiff = (file: string, before: string | undefined, after: string | undefined): string => {
  const lines = compare(linesOf(before ?? ""), linesOf(after ?? ""))
  const changed = lines.flatMap(({ sign }, at) => (sign === " " ? [] : [at]))
  const hunks: { from: number; to: number }[] = []
  for (const at of changed) {
    const last = hunks.at(-1)
    const to = Math.min(lines.length, at + context + 1)
    if (last !== undefined && at - context <= last.to) last.to = to
    else hunks.push({ from: Math.max(0, at - context), to })
  }
  if (hunks.length === 0) return ""
  const count = (part: readonly Line[], but: Line["sign"]): number =>
    part.filter(({ sign }) => sign !== but).length
  const body = hunks.map(({ from, to }) => {
    const [ahead, part] = [lines.slice(0, from), lines.slice(from, to)]
    const old = range(count(ahead, "+"), count(part, "+"))
    return `@@ -${old} +${range(count(ahead, "-"), count(part, "-"))} @@\n${part.map(show).join("")}`
  })
  const name = (text: string | undefined): string => (text === undefined ? "/dev/null" : file)
  return `--- ${name(before)}\n+++ ${name(after)}\n${body.join("")}`
}
