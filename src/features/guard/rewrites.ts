/** Commands that empty or change every file that they are given, whatever is in it. */
import { type Argument, first } from "./expand.ts"
import type { Budget } from "./script.ts"
import { unwrap } from "./unwrap.ts"

const inPlace = /^-(?:[a-zA-Z]*i|-in-place)/
const shells = /^(?:ba|da|z|k)?sh$/
/** A script that writes to what it is given. */
const writesTo = /(?:^|[^<>&\d])>\|?\s*"?(?:\$(?:\{?[1@*]|0)|\{\})/

export const isRewriting = (words: readonly Argument[], budget: Budget): boolean => {
  const { args = [], name = "" } = unwrap(words, budget) ?? {}
  const texts = args.map(first)
  switch (name) {
    case "sed":
    case "gsed":
    case "perl":
    case "ruby":
      return texts.some((text) => inPlace.test(text) && !/^-(?:e|n|f)/.test(text))
    case "truncate":
    case "shred":
      return true
    case "cp":
      return texts.find((text) => !text.startsWith("-")) === "/dev/null"
    case "dd":
      return texts.some((text) => text.startsWith("of="))
    case "tee":
      return !texts.some((text) => /^-\w*a|^--append/.test(text))
    default:
      return shells.test(name) && texts.some((text) => writesTo.test(text))
  }
}
