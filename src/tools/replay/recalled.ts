/** What went before a recorded call, told by its plan: a replay asks neither the log nor what somebody has switched since. */
import type { InvocationFact } from "../../../events/facts.ts"
import { defaultStopBlocks, nothingWaits } from "../../history/makePast.ts"
import type { Past } from "../../history/Past.ts"

export type Remembered = Pick<
  Extract<InvocationFact, { type: "HANDLERS_PLANNED" }>,
  "handlers" | "background" | "left" | "stops"
>

const ofLimit = /^(once|cooldown|rateLimit): /
/** What its directory was then nobody can look at now. */
const ofDirectory = /working directory (?:does not exist|is no text)$/
const ofSwitch = /^disabled( for this (session|project))? with "hooktape hooks"$/

export const recalled = ({ background = [], handlers, left, stops }: Remembered): Past => ({
  switched: (hook) => {
    const off = left.find(({ handler, reason }) => handler === hook && ofSwitch.test(reason))
    if (off !== undefined) return { enabled: false, reason: off.reason }
    const on = [...handlers, ...background].some(
      ({ handler, switchedOn }) => handler === hook && switchedOn === true
    )
    return on ? { enabled: true, reason: "" } : undefined
  },
  admit: ({ name }, event) =>
    left.find(
      ({ handler, event: of, reason }) =>
        handler === name &&
        of === event &&
        (ofLimit.test(reason) || ofDirectory.test(reason) || reason === nothingWaits)
    )?.reason,
  stops: () => stops ?? { blocked: 0, most: defaultStopBlocks },
  complaints: () => []
})
