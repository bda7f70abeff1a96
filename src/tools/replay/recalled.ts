/** What went before a recorded call, told by its plan: a replay asks neither the log nor what somebody has switched since. */
import type { InvocationFact, LeftOut } from "../../../events/facts.ts"
import { defaultStopBlocks } from "../../history/makePast.ts"
import type { Past } from "../../history/Past.ts"

export type Remembered = Pick<
  Extract<InvocationFact, { type: "HANDLERS_PLANNED" }>,
  "handlers" | "background" | "left" | "stops"
>

/** Facts of before 2026-12 say it in words alone, which these are. */
const earlierWords: readonly (readonly [LeftOut["by"], RegExp])[] = [
  ["switch", /^disabled( for this (session|project))? with "hooktape hooks"$/],
  ["past", /^(?:(?:once|cooldown|rateLimit): |nothing waits for this session$)/],
  ["directory", /working directory (?:does not exist|is no text)$/]
]

const leftBy = ({ by, reason }: LeftOut): LeftOut["by"] =>
  by ?? earlierWords.find(([, words]) => words.test(reason))?.[0]

export const recalled = ({ background = [], handlers, left, stops }: Remembered): Past => ({
  switched: (hook) => {
    const off = left.find((one) => one.handler === hook && leftBy(one) === "switch")
    if (off !== undefined) return { enabled: false, reason: off.reason }
    const on = [...handlers, ...background].some(
      ({ handler, switchedOn }) => handler === hook && switchedOn === true
    )
    return on ? { enabled: true, reason: "" } : undefined
  },
  admit: ({ name }, event) =>
    left.find((one) => {
      const by = leftBy(one)
      // What its directory was then nobody can look at now.
      return one.handler === name && one.event === event && (by === "past" || by === "directory")
    })?.reason,
  stops: () => stops ?? { blocked: 0, most: defaultStopBlocks },
  complaints: () => []
})
