/** Reads a command line into its commands, as far as a POSIX shell's grammar tells what runs. Linear in its input. */
import { type Cursor, deepest, readWord } from "./readWord.ts"
import {
  type Assign,
  type Budget,
  bareText,
  type Pipeline,
  plainText,
  type Redirect,
  type Script,
  type Stage,
  type Word
} from "./script.ts"

const keywords = new Set("if then else elif fi do done while until esac ! coproc".split(" "))
const assignment = /^([A-Za-z_]\w*)(?:\[[^\]\s]*\])?(\+?)=/
const redirection = /(?:&>>?|<<<|<<-?|<>|<&|>&|>>|>\||<|>)/y

interface Heredoc {
  readonly delimiter: string
  readonly literal: boolean
  readonly indented: boolean
  readonly redirect: { operator: string; target: Word }
}

type Open = { -readonly [K in keyof Stage]: Stage[K] } & {
  assigns: Assign[]
  words: Word[]
  redirects: Redirect[]
}

const empty = (): Open => ({ assigns: [], words: [], redirects: [] })

const isEmpty = ({ assigns, words, redirects, inner }: Open): boolean =>
  assigns.length + words.length + redirects.length === 0 && inner === undefined

/** `depth`: how deep in brackets the text stands. */
export const parse = (text: string, budget: Budget, depth = 0): Script => {
  budget.left -= text.length + 1
  if (depth > deepest) budget.unread = true
  if (budget.left < 0 || depth > deepest) return []
  const waiting: Heredoc[] = []
  const cursor: Cursor = {
    text,
    at: 0,
    depth,
    budget,
    readScript: (end) => readScript(end),
    readApart: (inner) => parse(inner, budget, cursor.depth + 1)
  }

  /** The bodies of here-documents begin behind the line that names them. */
  const readBodies = (): void => {
    for (const { delimiter, literal, indented, redirect } of waiting.splice(0)) {
      const start = cursor.at
      let end = text.length
      while (cursor.at < text.length) {
        const newline = text.indexOf("\n", cursor.at)
        const stop = newline < 0 ? text.length : newline
        const line = text.slice(cursor.at, stop)
        const begin = cursor.at
        cursor.at = Math.min(text.length, stop + 1)
        if ((indented ? line.replace(/^\t+/, "") : line) === delimiter) {
          end = begin
          break
        }
      }
      const body = text.slice(start, end)
      redirect.target = (literal ? undefined : expanding(body)) ?? [
        { kind: "text", text: body, quoted: true }
      ]
    }
  }

  /** The body of a here-document is read as if it stood in double quotes, where quotes mean nothing. */
  const expanding = (body: string): Word | undefined =>
    parse(`: "${body.replaceAll('"', "'")}"`, budget, cursor.depth + 1)[0]?.[0]?.words[1]

  const readRedirect = (stage: Open): void => {
    redirection.lastIndex = cursor.at
    const operator = redirection.exec(text)?.[0] ?? ">"
    cursor.at += operator.length
    skipBlanks()
    const target = readWord(cursor)
    const redirect = { operator, target }
    stage.redirects.push(redirect)
    if (operator === "<<" || operator === "<<-") {
      const delimiter = plainText(target) ?? ""
      const literal = bareText(target) === undefined
      waiting.push({ delimiter, literal, indented: operator === "<<-", redirect })
    }
  }

  const skipBlanks = (): void => {
    for (;;) {
      const char = text[cursor.at]
      if (char === " " || char === "\t" || char === "\r") cursor.at++
      else if (char === "\\" && text[cursor.at + 1] === "\n") cursor.at += 2
      else return
    }
  }

  const bracketed = (end: ")" | "}"): Script => {
    cursor.depth++
    const inner = readScript(end)
    cursor.depth--
    return inner
  }

  /** The words of an array, up to its closing bracket. */
  const readItems = (): readonly Word[] => {
    const items: Word[] = []
    while (cursor.at < text.length && text[cursor.at] !== ")") {
      const start = cursor.at
      const word = readWord(cursor)
      if (word.length > 0) items.push(word)
      if (cursor.at === start) cursor.at++
      skipBlanks()
    }
    cursor.at++
    return items
  }

  /** `a=(…)`, also behind `declare` and the like. */
  const openArray = (stage: Open): void => {
    const last = stage.words.at(-1) ?? []
    const declared = assignment.exec(plainText(last) ?? "")
    const given = stage.words.length > 0 ? undefined : stage.assigns.pop()
    if (declared) stage.words.pop()
    const items = readItems()
    const name = given?.name ?? declared?.[1]
    const more = given?.more === true || declared?.[2] === "+"
    if (name !== undefined) stage.assigns.push({ name, value: [], items, more })
  }

  const openBracket = (stage: Open): void => {
    const before = text[cursor.at - 1]
    cursor.at++
    const [only, second] = stage.words
    // The bracket before a pattern of `case` is nobody's.
    if (only && bareText(only) === "case" && bareText(stage.words.at(-1) ?? only) === "in") return
    if (before === "=" && stage.words.length + stage.assigns.length > 0) {
      openArray(stage)
      return
    }
    budget.left -= (only?.length ?? 0) + (stage.words.at(-1)?.length ?? 0)
    if (cursor.depth >= deepest) {
      budget.unread = true
      return
    }
    const called = only && second === undefined ? bareText(only) : undefined
    const behind = /^\s*\)/.exec(text.slice(cursor.at, cursor.at + 8))?.[0]
    if (called !== undefined && behind !== undefined) {
      cursor.at += behind.length
      stage.defines = called
      stage.words = []
    } else if (stage.words.length > 0) bracketed(")")
    else {
      stage.inner = bracketed(")")
      stage.apart = true
    }
  }

  /** A word at the place of a command may be a keyword, a bracket or an assignment. False where it closes. */
  const addWord = (stage: Open, end: ")" | "}" | undefined): boolean => {
    const start = cursor.at
    const word = readWord(cursor)
    if (cursor.at === start) cursor.at++
    const bare = bareText(word)
    const next = text[cursor.at]
    if (bare !== undefined && (next === "<" || next === ">") && /^\d+$/.test(bare)) return true
    if (stage.words.length > 0 || bare === undefined) {
      const head = word[0]
      const given = stage.words.length === 0 && head?.kind === "text" && !head.quoted ? head.text : ""
      const assigned = assignment.exec(given)
      if (assigned) {
        const value: Word = [
          { kind: "text", text: given.slice(assigned[0].length), quoted: false },
          ...word.slice(1)
        ]
        stage.assigns.push({ name: assigned[1] as string, value, more: assigned[2] === "+" })
      } else if (word.length > 0) stage.words.push(word)
      return true
    }
    if (bare === "{" && cursor.depth < deepest) stage.inner = bracketed("}")
    else if (bare === "}") return end !== "}"
    else if (bare === "function") {
      skipBlanks()
      stage.defines = plainText(readWord(cursor)) ?? ""
    } else if (bare === "time") {
      skipBlanks()
      if (/^-p\s/.test(text.slice(cursor.at, cursor.at + 3))) cursor.at += 2
    } else if (!keywords.has(bare)) {
      const assigned = assignment.exec(bare)
      const value = bare.slice(assigned?.[0].length ?? 0)
      if (assigned)
        stage.assigns.push({
          name: assigned[1] as string,
          value: [{ kind: "text", text: value, quoted: false }],
          more: assigned[2] === "+"
        })
      else stage.words.push(word)
    }
    return true
  }

  const readScript = (end: ")" | "}" | undefined): Script => {
    const script: Pipeline[] = []
    let pipeline: Stage[] = []
    let stage = empty()
    const endStage = (): void => {
      if (!isEmpty(stage)) pipeline.push(stage)
      stage = empty()
    }
    const endPipeline = (): void => {
      endStage()
      if (pipeline.length > 0) script.push(pipeline)
      pipeline = []
    }
    while (cursor.at < text.length && budget.left >= 0) {
      skipBlanks()
      const char = text[cursor.at]
      const next = text[cursor.at + 1]
      if (char === undefined) break
      if (char === "#") {
        const newline = text.indexOf("\n", cursor.at)
        cursor.at = newline < 0 ? text.length : newline
      } else if (char === "\n") {
        cursor.at++
        readBodies()
        endPipeline()
      } else if ((char === "<" || char === ">") && next === "(" && cursor.depth < deepest) {
        cursor.at += 2
        stage.words.push([{ kind: "output", script: bracketed(")") }])
      } else if (char === "<" || char === ">" || (char === "&" && next === ">")) readRedirect(stage)
      else if (char === "|" && next !== "|") {
        cursor.at += next === "&" ? 2 : 1
        endStage()
      } else if (char === ";" || char === "&" || char === "|") {
        cursor.at++
        endPipeline()
      } else if (char === "(") openBracket(stage)
      else if (char === ")") {
        cursor.at++
        endPipeline()
        if (end === ")") return script
      } else if (!addWord(stage, end)) {
        endPipeline()
        return script
      }
    }
    endPipeline()
    return script
  }

  return readScript(undefined)
}
