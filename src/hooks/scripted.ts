/** Services for the tests of hook authors: they answer from a script, and remember what they were asked. */
import type { Json, JsonObject } from "../../events/intents.ts"
import type { LogFact, NewNote, NoteFound, Ran, Services, TranscriptEntry } from "./Services.ts"
import { UnrecordedCall } from "./UnrecordedCall.ts"

/**
 * What scripted services answer. Whatever is missing here has no answer: asking for it fails with `UnrecordedCall`.
 *
 * @example
 * const script: Script = { now: 1_700_000_000_000, run: { "git status": { stdout: "clean" } } }
 */
export interface Script {
  /** One time for all, or one after the other. */
  readonly now?: number | readonly number[]
  readonly random?: number | readonly number[]
  /** By path, as the handler asks for it. A path that is not here is a file that is not there. */
  readonly files?: Readonly<Record<string, string>>
  /**
   * By command line, words joined by spaces; one that ends in ` *` answers all that begin so and are not here themselves. What is left
   * out of an answer is success without output.
   */
  readonly run?: Readonly<Record<string, Partial<Ran>>>
  readonly log?: readonly Partial<LogFact>[]
  readonly notes?: readonly Partial<NoteFound>[]
  readonly transcript?: readonly TranscriptEntry[]
  /** By the name given to `call`. */
  readonly call?: Readonly<Record<string, Json>>
}

/**
 * Services that answer from a script, and what they were asked.
 *
 * @example
 * const commands = ({ asked }: Scripted) => asked.filter(({ service }) => service === "run")
 */
export interface Scripted extends Services {
  /** In order. */
  readonly asked: readonly { readonly service: string; readonly input: Json }[]
}

const scriptless = (service: string, input: Json): UnrecordedCall =>
  new UnrecordedCall(service, input, "is not in the script")

const answerTo = (line: string, run: Script["run"] = {}): Partial<Ran> | undefined => {
  if (Object.hasOwn(run, line)) return run[line]
  const pattern = Object.keys(run).find((one) => one.endsWith(" *") && line.startsWith(one.slice(0, -1)))
  return pattern === undefined ? undefined : run[pattern]
}

const emptyFact: LogFact = {
  id: "",
  stream: "",
  type: "",
  at: 0,
  agent: null,
  event: null,
  session: null,
  project: null,
  data: {}
}
const emptyNote: NoteFound = { note: "", text: "", kind: "note", tags: [], at: "1970-01-01T00:00:00.000Z" }

/**
 * Services for a test of a hook. Each throws, or rejects with, `UnrecordedCall` where the script has no answer.
 *
 * @example
 * const services = scriptedServices({ files: { ".nvmrc": "20" } })
 * const version = (await services.files.read(".nvmrc"))?.text
 */
export const scriptedServices = (script: Script = {}): Scripted => {
  const asked: { service: string; input: Json }[] = []
  const taken = new Map<string, number>()

  const note = (service: string, input: Json): void => {
    asked.push({ service, input: JSON.parse(JSON.stringify(input)) as Json })
  }

  /** The same for all, or the next of a list. */
  const next = (service: string, scripted: number | readonly number[] | undefined): number => {
    note(service, null)
    const at = taken.get(service) ?? 0
    taken.set(service, at + 1)
    const value = typeof scripted === "number" ? scripted : scripted?.[at]
    if (value === undefined) throw scriptless(service, null)
    return value
  }

  const from = <A>(service: string, input: Json, scripted: A | undefined): A => {
    note(service, input)
    if (scripted === undefined) throw scriptless(service, input)
    return scripted
  }

  const bytes = (text: string): number => new TextEncoder().encode(text).length

  return {
    asked,
    clock: { now: () => next("clock.now", script.now) },
    random: {
      next: () => next("random.next", script.random),
      uuid: () => {
        note("random.uuid", null)
        return `00000000-0000-7000-8000-${String(asked.length).padStart(12, "0")}`
      }
    },
    files: {
      read: async (path) => {
        const text = from("files.read", { path }, script.files)[path]
        return text === undefined ? undefined : { text, bytes: bytes(text), truncated: false }
      },
      exists: async (path) => {
        const paths = Object.keys(from("files.exists", { path }, script.files))
        if (paths.includes(path)) return "file"
        return paths.some((one) => one.startsWith(`${path}/`)) ? "directory" : undefined
      },
      list: async (path) => {
        const folder = path === "." ? "" : `${path}/`
        const below = Object.keys(from("files.list", { path }, script.files)).filter((one) =>
          one.startsWith(folder)
        )
        const names = new Map(
          below.map((one) => {
            const [name = "", ...rest] = one.slice(folder.length).split("/")
            return [name, rest.length === 0 ? ("file" as const) : ("directory" as const)]
          })
        )
        return below.length === 0 ? undefined : [...names].sort().map(([name, kind]) => ({ name, kind }))
      }
    },
    run: async (command, args = [], options = {}) => {
      const line = [command, ...args].join(" ")
      const answer = from(
        "run",
        { command, args, ...options } as unknown as JsonObject,
        answerTo(line, script.run)
      )
      return { exitCode: 0, stdout: "", stderr: "", truncated: false, ...answer }
    },
    log: {
      facts: async (query) => ({
        facts: from("log.facts", query as unknown as JsonObject, script.log).map((fact) => ({
          ...emptyFact,
          ...fact
        }))
      })
    },
    notes: {
      search: async (query) =>
        from("notes.search", { query }, script.notes).map((found) => ({ ...emptyNote, ...found })),
      list: async () => from("notes.list", {}, script.notes).map((found) => ({ ...emptyNote, ...found })),
      add: async (added: NewNote) => note("notes.add", added as unknown as JsonObject)
    },
    transcript: {
      read: async ({ last } = {}) => ({
        entries: from("transcript.read", last === undefined ? {} : { last }, script.transcript).slice(
          -(last ?? 50)
        ),
        truncated: false
      })
    },
    call: async (name, input) => from(`call ${name}`, input, script.call?.[name]) as never
  }
}
