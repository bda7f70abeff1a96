/** Arguments and options that several commands have, in the same words. */
import { argument, flag, optionalArgument, text } from "./parameters.ts"

const refHelp =
  'An invocation: its id, the beginning or end of one, or "last", in which a hook had something to say.'

export const ref = argument("<ref>", refHelp)
export const optionalRef = optionalArgument("<ref>", refHelp)

/** Of another thing than an invocation. */
export const refTo = (what: string) =>
  argument("<ref>", `${what}: its id, the beginning or end of one, or "last".`)

export const optionalRefTo = (what: string) =>
  optionalArgument("<ref>", `${what}: its id, the beginning or end of one, or "last".`)

/** `details`: what is printed, where one line of the reference can say it. */
export const json = (details?: string) =>
  flag("Print JSON instead of text.", details === undefined ? {} : { details })

export const project = text(
  "DIR",
  "The project's directory. Default: the one around the working directory.",
  { sample: "../site" }
)

export const ofProject = text("DIR", "Of this project. Default: the one around the working directory.", {
  sample: "../site"
})

export const ofSession = text("ID", "Only of this session of an agent.", { sample: "s1" })

/** As `parseSince` reads them. */
export const times = "10m, 2h, 3d, today, a date"
