/** Commands that start another command: what it is that they start. */

import { nameOf } from "./Call.ts"
import { type Argument, first } from "./expand.ts"

export interface Unwrapped {
  readonly name: string
  readonly args: readonly Argument[]
  readonly fed: boolean
}

interface Wrapper {
  /** Letters of options that take a value, as a separate word or not. */
  readonly valued: string
  /** Operands of its own before the command. */
  readonly operands?: number
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: "ughpCDRTrt" },
  doas: { valued: "uC" },
  env: { valued: "uC" },
  nohup: { valued: "" },
  setsid: { valued: "" },
  command: { valued: "" },
  builtin: { valued: "" },
  exec: { valued: "a" },
  time: { valued: "fo" },
  nice: { valued: "n" },
  ionice: { valued: "cn" },
  stdbuf: { valued: "ioe" },
  timeout: { valued: "ks", operands: 1 },
  flock: { valued: "wE", operands: 1 },
  caffeinate: { valued: "tw" },
  unbuffer: { valued: "" },
  busybox: { valued: "" },
  npx: { valued: "p" },
  bunx: { valued: "p" },
  xargs: { valued: "IRnPLsdaE" }
}

const isAssignment = (text: string): boolean => /^[A-Za-z_]\w*=/.test(text)

/** The place of the command that a wrapper at `at` starts, or one behind the end. */
const afterOptions = (words: readonly Argument[], at: number, { valued, operands = 0 }: Wrapper): number => {
  let next = at + 1
  for (; next < words.length; next++) {
    const text = first(words[next] as Argument)
    if (text === "--") {
      next++
      break
    }
    if (isAssignment(text)) continue
    if (!text.startsWith("-") || text === "-") break
    if (text.length === 2 && valued.includes(text[1] as string)) next++
  }
  return next + operands
}

/** The command itself, once everything that only starts it is taken off. */
export const unwrap = (words: readonly Argument[]): Unwrapped | undefined => {
  let fed = false
  for (let at = 0; at < words.length; ) {
    const name = nameOf(first(words[at] as Argument))
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    const next = wrapper === undefined ? words.length : afterOptions(words, at, wrapper)
    if (next >= words.length) return { name, args: words.slice(at + 1), fed }
    fed ||= name === "xargs"
    at = next
  }
  return undefined
}
