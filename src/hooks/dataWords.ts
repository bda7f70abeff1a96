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

const hasProgram = /^(?:awk|gawk|jq|sed|yq)$/
const programFile = /^(?:-\w*f|--file|--from-file|-L|--library-path)$/

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
    const isTarget = />[>|]?\s*$/.test(between)
    if (segments.length === 0 || isSeparator(between)) segments.push([])
    if (isTarget) targets.push(word)
    else segments.at(-1)?.push(word)
  }
  return { segments: segments.map((found) => ({ words: found })), targets }
}

const programAt = ({ words }: Segment): number => words.findIndex(({ value }) => !notYet.test(value))

/** What it is given, but what it runs. */
const given = (segment: Segment): readonly Word[] => {
  const at = programAt(segment)
  const words = segment.words.slice(at + 1)
  return hasProgram.test(segment.words[at]?.value ?? "")
    ? words.filter((_, nth) => nth === 0 || !programFile.test(words[nth - 1]?.value ?? ""))
    : words
}

/** The last word of these, and all of that. */
const writtenBy = (segment: Segment): readonly Word[] => {
  const program = segment.words[programAt(segment)]?.value
  if (program === "tee" || program === "touch") return given(segment)
  return program === "mv" || program === "cp" ? given(segment).slice(-1) : []
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
