/** Words of a command line by which a hook keeps and reads its own notes: where they lead is nothing that runs. */

/** A word of a command line, and what it is without its quotes. */
export interface Word {
  readonly raw: string
  readonly at: number
  readonly value: string
}

/** They read and write, and run nothing that stands in a file, but one that an option names. */
const plainPrograms =
  /^(?:\[|awk|basename|cat|cmp|column|cp|cut|date|diff|dirname|echo|exit|expr|fgrep|egrep|gawk|grep|head|jq|logger|ls|mkdir|mv|nl|paste|printf|rm|sed|seq|sort|stat|tail|tee|test|touch|tr|true|uniq|wc|yq)$/

/** By which a program is told a file of what it is to do, or to look for: then all its words count. */
const rules: readonly (readonly [programs: RegExp, option: RegExp])[] = [
  [/^g?awk$/, /^(?:-[a-zA-Z]*[fEi]|--(?:file|exec|include)(?:=.*)?)$/s],
  [/^(?:[ef]?grep|sed)$/, /^(?:-[a-zA-Z]*f|--file(?:=.*)?)$/s],
  [/^(?:jq|yq)$/, /^(?:-[a-zA-Z]*[fL]|--(?:from-file|library-path|slurpfile|rawfile)(?:=.*)?)$/s],
  [/^sort$/, /^--compress-program(?:=.*)?$/s]
]

/** What stands before a program, and is none. */
const notYet = /^(?:\w+=.*|if|then|elif|else|fi|do|done|while|until|!|\}|\{|time|env|nohup|command)$/s

interface Segment {
  readonly words: readonly Word[]
}

const isSeparator = (between: string): boolean => /[|&;()\n]/.test(between.replace(/[<>]&|&>/g, ""))

/** The programs that a line starts, each with its words; what it writes to is in none of them. */
const segmentsOf = (
  command: string,
  words: readonly Word[]
): { readonly segments: readonly Segment[]; readonly targets: readonly Word[] } => {
  const segments: Word[][] = []
  const targets: Word[] = []
  let end = 0
  for (const word of words) {
    const between = command.slice(end, word.at)
    end = word.at + word.raw.length
    const isTarget = /(?<!<)>[>|]?\s*$/.test(between)
    if (segments.length === 0 || isSeparator(between)) segments.push([])
    if (isTarget) targets.push(word)
    else segments.at(-1)?.push(word)
  }
  return { segments: segments.map((found) => ({ words: found })), targets }
}

const programAt = ({ words }: Segment): number => words.findIndex(({ value }) => !notYet.test(value))

/** What it is given; nothing where a file among it may say what it does. */
const given = (segment: Segment): readonly Word[] => {
  const at = programAt(segment)
  const words = segment.words.slice(at + 1)
  const program = segment.words[at]?.value ?? ""
  const isTold = rules.some(
    ([programs, option]) => programs.test(program) && words.some(({ value }) => option.test(value))
  )
  return isTold ? [] : words
}

/** The last word of these, and all of that. */
const writtenBy = (segment: Segment): readonly Word[] => {
  const program = segment.words[programAt(segment)]?.value
  if (program === "tee" || program === "touch") return given(segment)
  // With an option the last word may be what is moved.
  const words = given(segment)
  const isPlain = words.every(({ value }) => !value.startsWith("-"))
  return isPlain && (program === "mv" || program === "cp") ? words.slice(-1) : []
}

/**
 * What a command writes to; and all that its programs are given, where each of them only reads and writes. `isWhole`: no other program has
 * what these write.
 */
export const dataIn = (command: string, words: readonly Word[], isWhole: boolean): ReadonlySet<Word> => {
  const { segments, targets } = segmentsOf(command, words)
  const started = segments.filter((segment) => programAt(segment) >= 0)
  const isPlain =
    isWhole && started.every((segment) => plainPrograms.test(segment.words[programAt(segment)]?.value ?? ""))
  return new Set([...targets, ...started.flatMap(isPlain ? given : writtenBy)])
}
