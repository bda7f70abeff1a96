/** What comes out of a pipeline is what went into it, or some of it: whether what a command prints is still to be read behind others. */
import { nameOf } from "../Call.ts"
import { type Pipeline, plainText, type Redirect, type Stage } from "../script.ts"

const whole = new Set(
  "cat tac tee head tail less more bat nl tr sort uniq fold column base64 base32 xxd od hexdump strings rev fx".split(
    " "
  )
)

/** What a pattern has to name to find a secret, or it takes every line. */
const findsSecret = /key|token|pass|secret|auth|cred|private|^\^?(?:\.\*?|)\$?$/i

/** Whether `grep` prints lines that hold one. */
const findsSecretLines = (texts: readonly string[]): boolean => {
  if (texts.some((text) => /^-(?!-)\w*[qclL]|^--(?:quiet|silent|count|files-with)/.test(text))) return false
  const pattern = texts.find((_, at) => texts[at - 1] === "-e") ?? texts.find((text) => !text.startsWith("-"))
  return findsSecret.test(pattern ?? "") !== texts.some((text) => /^-(?!-)\w*v|^--invert/.test(text))
}

/** Names, counts and what else says nothing of a value. */
const tellsNothing =
  /\bkeys\b|\blength\b|\.metadata\b|\bhas\(|\.type\b|\.credsStore|\.credHelpers|\bto_entries\[\]\s?(?:\|\s?)?\.key\b/

const passes: Readonly<Record<string, (texts: readonly string[]) => boolean>> = {
  grep: findsSecretLines,
  egrep: findsSecretLines,
  rg: findsSecretLines,
  // Of each line so many characters say which one it is.
  cut: (texts) => !texts.some((text) => /^-[cb]/.test(text)),
  sed: (texts) => texts.includes("-n"),
  awk: (texts) => !texts.some((text) => /\blength\b|\bsubstr\b|g?sub\(/.test(text)),
  jq: (texts) => !texts.some((text) => tellsNothing.test(text)),
  yq: (texts) => !texts.some((text) => tellsNothing.test(text)),
  python3: (texts) => texts.includes("json.tool"),
  python: (texts) => texts.includes("json.tool")
}

const standard = /^\/dev\/(?:stdout|stderr|tty|fd\/[12])$/

/** What it prints goes to a file. */
export const isKeptApart = (redirects: readonly Redirect[]): boolean =>
  redirects.some(
    ({ descriptor = "1", operator, target }) =>
      /^(?:>>?|>\||&>>?)$/.test(operator) && descriptor === "1" && !standard.test(plainText(target) ?? "")
  )

const handsOn = ({ inner, redirects, words }: Stage): boolean => {
  if (inner !== undefined) return false
  const [name = "", ...texts] = words.map((word) => plainText(word) ?? "")
  const command = nameOf(name)
  // `tee` prints what it writes.
  if (isKeptApart(redirects)) return false
  return whole.has(command) || (Object.hasOwn(passes, command) && passes[command]?.(texts) === true)
}

/** From which place of a pipeline on somebody sees what its commands print. */
export const seenFrom = (pipeline: Pipeline): number =>
  Math.max(
    0,
    pipeline.findLastIndex((stage) => !handsOn(stage))
  )

/** `echo "$(…)"`: what stands in its words it prints. */
export const repeats = ({ redirects, words }: Stage): boolean =>
  /^(?:echo|printf)$/.test(plainText(words[0] ?? []) ?? "") && !isKeptApart(redirects)
