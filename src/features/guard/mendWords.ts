/** Puts together what unbash takes apart: `a=<(…)` is one word, and not an assignment of nothing before a command of its own. */
import type { AssignmentPrefix, CommandArgument, Word, WordPart } from "unbash"

interface Words {
  readonly assigned: readonly AssignmentPrefix[]
  readonly rest: readonly CommandArgument[]
}

/** The fields of a word are read from its text when they are asked for: a copy has to name them. */
const wordOf = (at: Word, parts: readonly WordPart[], end = at.end): Word =>
  ({
    type: "Word",
    pos: at.pos,
    end,
    text: parts.map(({ text }) => text).join(""),
    value: parts.map((part) => ("value" in part ? part.value : part.text)).join(""),
    parts
  }) as Word

const partsOf = ({ parts, text, value }: Word): readonly WordPart[] => {
  if (parts !== undefined) return parts
  return value === "" && text === "" ? [] : [{ type: "Literal", value, text } as WordPart]
}

const join = (one: Word, other: Word): Word => wordOf(one, [...partsOf(one), ...partsOf(other)], other.end)

const withValue = (
  { append, index, name, pos, text }: AssignmentPrefix,
  value: Word,
  more: Word
): AssignmentPrefix => ({
  type: "Assignment",
  pos,
  end: more.end,
  text,
  name,
  append,
  index,
  value: join(value, more)
})

/** Words without a blank between them are one. */
const joined = (given: readonly CommandArgument[]): readonly CommandArgument[] => {
  const words: CommandArgument[] = []
  for (const one of given) {
    const before = words.at(-1)
    const isTorn = one.type === "Word" && before?.end === one.pos
    if (isTorn && before.type === "Word") words[words.length - 1] = join(before, one)
    else if (isTorn && before.type === "Assignment" && before.value.type !== "ArrayValue")
      words[words.length - 1] = withValue(before, before.value, one)
    else words.push(one)
  }
  return words
}

/** `name=…` as a word, where only an assignment may stand. */
const assignmentIn = (word: CommandArgument): AssignmentPrefix | undefined => {
  const [head, ...behind] = word.type === "Word" ? partsOf(word) : []
  const [whole = "", name = "", more] =
    head?.type === "Literal" ? (/^(\w+)(\+?)=/.exec(head.value) ?? []) : []
  if (word.type !== "Word" || head?.type !== "Literal" || name === "") return undefined
  const rest = head.value.slice(whole.length)
  const value = wordOf(word, rest === "" ? behind : [{ ...head, value: rest, text: rest }, ...behind])
  return {
    type: "Assignment",
    pos: word.pos,
    end: word.end,
    text: word.text,
    name,
    value,
    append: more === "+"
  } as AssignmentPrefix
}

/** What stands before a command, and the command's words. */
export const mended = (prefix: readonly AssignmentPrefix[], given: readonly CommandArgument[]): Words => {
  const [head] = given
  const last = prefix.at(-1)
  const isTorn =
    head?.type === "Word" && last !== undefined && last.value.type !== "ArrayValue" && last.end === head.pos
  if (!isTorn) return { assigned: prefix, rest: joined(given) }
  const assigned = [...prefix.slice(0, -1), withValue(last, last.value as Word, head)]
  const rest = [...joined(given.slice(1))]
  // What looks like more of them was read as words of a command that there is not.
  for (
    let next = rest[0] && assignmentIn(rest[0]);
    next !== undefined;
    next = rest[0] && assignmentIn(rest[0])
  ) {
    assigned.push(next)
    rest.shift()
  }
  return { assigned, rest }
}
