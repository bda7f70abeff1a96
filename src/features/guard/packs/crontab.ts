/** Planned tasks that are replaced: by nothing, or by what is not put to those that there are. */
import { type Call, textsOf } from "../Call.ts"
import { standardInput } from "../input.ts"
import type { Verdict } from "../rule.ts"
import { plainText, type Stage } from "../script.ts"
import { isSilent, readsNull } from "./emptied.ts"

const replaced = (how: string): Verdict => ({
  rule: "services",
  reason: `\`crontab${how}\` replaces every planned task.`
})

const added: Verdict = {
  rule: "services",
  reason: "`crontab -` plans a task that stays, and runs when nobody is there."
}

/** Beside the tasks that there are it prints a line of its own. */
const addsLine = ({ inner, words }: Stage): boolean =>
  inner?.some((pipeline) => pipeline.some(addsLine)) ??
  /^(?:echo|printf)$/.test(plainText(words[0] ?? []) ?? "")

/** The file that it is told to take, behind options of which one has a value. */
const fileOf = (texts: readonly string[]): string | undefined =>
  texts.filter((text, at) => (text === "-" || !text.startsWith("-")) && texts[at - 1] !== "-u").at(-1)

const onlyShows = /^-\w*[ler]$|^--?(?:help|version)$/

export const crontab = (call: Call): Verdict | undefined => {
  const texts = textsOf(call.args)
  if (texts.some((text) => onlyShows.test(text))) return undefined
  const file = fileOf(texts)
  if (file === "/dev/null") return replaced(" /dev/null")
  const keeps = call.upstream.some(
    ({ inner, words }) => inner !== undefined || words.some((word) => plainText(word) === "crontab")
  )
  if (file === "-") {
    if (!keeps) return replaced(" -")
    return call.upstream.some(addsLine) ? added : undefined
  }
  if (file !== undefined) return isNothing(call) ? replaced(" <(…)") : undefined
  if (standardInput(call)?.trim()) return replaced("")
  const isEmpty = readsNull(call.redirects) || isSilent(call.upstream.at(-1), call.state)
  return isEmpty || standardInput(call)?.trim() === "" ? replaced("") : undefined
}

/** `<(:)`, which prints nothing. */
const isNothing = ({ args, state }: Call): boolean => {
  const [part, another] = args.at(-1)?.word ?? []
  if (part?.kind !== "output" || part.file !== true || another !== undefined) return false
  return part.script.every((pipeline) => isSilent(pipeline.at(-1), state))
}
