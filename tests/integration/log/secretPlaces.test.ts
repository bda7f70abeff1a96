/** A hundred secrets in each of twelve places, each place with its own: what is kept of them in clear once all is done. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { command } from "../../support/command.ts"
import { inTurns, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { untilJobs } from "../../support/jobs/untilJobs.ts"
import { type HiddenSecret, hundredSecrets, piecesOf } from "../../support/labelled/hundredSecrets.ts"
import {
  bytesOf,
  filesIn,
  indexed,
  type StateText,
  standingIn,
  stateTexts,
  unescaped
} from "../../support/stateTexts.ts"

const places = [
  "tool output",
  "file contents",
  "prompt",
  "nested JSON",
  "JSON escapes",
  "handler's noise",
  "transcript",
  "left frame",
  "export",
  "note",
  "handler's reply",
  "search index"
] as const
type Place = (typeof places)[number]

interface Sample extends HiddenSecret {
  /** Stands beside the text, to show that it came where it should. */
  readonly mark: string
}

const samplesOf = (place: Place): readonly Sample[] =>
  hundredSecrets(places.indexOf(place) + 1).map((hidden, nth) => ({
    ...hidden,
    mark: `p${places.indexOf(place) + 1}n${nth}.`
  }))

/** So much between two texts that nothing in one is near the other. */
const filler = "Nothing of note was said here, line after line.\n".repeat(30)
const page = (samples: readonly Sample[]): string =>
  samples.map(({ mark, text }) => `${filler}${mark}\n${text}\n`).join("") + filler

const perCall = 5
/** Some of one kind at a time. */
const pagesOf = (place: Place): readonly (readonly Sample[])[] => {
  const samples = samplesOf(place)
  return [...new Set(samples.map(({ kind }) => kind))].flatMap((wanted) => {
    const some = samples.filter(({ kind }) => kind === wanted)
    return Array.from({ length: Math.ceil(some.length / perCall) }, (_, nth) =>
      some.slice(nth * perCall, (nth + 1) * perCall)
    )
  })
}

/** What the handlers say stands in files of the user's, for what a call brings is on the log already. */
const handlers = `import { readFileSync } from "node:fs"
import { defineHook, modelContext } from "hooktape"
const wanted = (text, what) => {
  const nth = new RegExp("^" + what + " (\\\\d+)$").exec(text ?? "")?.[1]
  return nth && JSON.parse(readFileSync(process.env.HOME + "/" + what + ".json", "utf8"))[nth]
}
export const noisy = defineHook({
  name: "noisy", on: "tool.before",
  run: ({ tool }) => { for (const part of wanted(tool.command, "noise") ?? []) process.stdout.write(part) }
})
export const teller = defineHook({
  name: "teller", on: "prompt.submit",
  run: ({ prompt }) => { const told = wanted(prompt, "told"); return told && modelContext(told) }
})
`

/** In two writes, with the secret across them. */
const parts = (samples: readonly Sample[]): readonly string[] =>
  samples.flatMap((sample) => {
    const text = page([sample])
    const middle = text.indexOf(sample.secret.slice(0, 6)) + (sample.secret.length >> 1)
    return [text.slice(0, middle), text.slice(middle)]
  })

/** As programs write JSON that escape whatever could mean something in HTML. */
const wary = (text: string): string =>
  JSON.stringify(text).replace(
    /\\"|[<>&'+]/g,
    (sign) =>
      `\\u00${sign
        .charCodeAt(sign.length - 1)
        .toString(16)
        .padStart(2, "0")}`
  )

const session = { session_id: "s-1", transcript_path: "" }
const tool = (name: string, input: object, response: object) => ({
  event: "PostToolUse",
  payload: { ...session, tool_name: name, tool_use_id: "t", tool_input: input, tool_response: response }
})
const shell = (stdout: string) => tool("Bash", { command: "cat it" }, { stdout, stderr: "" })

interface Call {
  readonly event: string
  readonly payload: object
}

const each = (place: Place, call: (samples: readonly Sample[], nth: number) => Call): readonly Call[] =>
  pagesOf(place).map(call)

/** What agents send. */
const calls = (transcript: string): readonly Call[] => [
  ...each("tool output", (samples) => shell(page(samples))),
  ...each("file contents", (samples, nth) =>
    nth % 2 === 0
      ? tool("Write", { file_path: "a.txt", content: page(samples) }, { type: "create", filePath: "a.txt" })
      : tool(
          "MultiEdit",
          {
            file_path: "a.txt",
            edits: samples.map(({ mark, text }) => ({ old_string: mark, new_string: text }))
          },
          { filePath: "a.txt" }
        )
  ),
  ...each("prompt", (samples) => ({
    event: "UserPromptSubmit",
    payload: { ...session, prompt: page(samples) }
  })),
  ...each("nested JSON", (samples) =>
    tool(
      "mcp__tickets__create",
      {
        request: {
          items: samples.map(({ mark, text }) => ({ id: mark, body: { text } })),
          arguments: JSON.stringify({
            entries: samples.map(({ text }) => ({ body: JSON.stringify({ text }) }))
          })
        }
      },
      {}
    )
  ),
  ...each("JSON escapes", (samples) =>
    shell(samples.map(({ mark, text }) => `{"id":"${mark}","message":${wary(text)}}\n`).join(filler))
  ),
  ...each("handler's noise", (_, nth) => ({
    event: "PreToolUse",
    payload: { ...session, tool_name: "Bash", tool_use_id: "t", tool_input: { command: `noise ${nth}` } }
  })),
  ...each("handler's reply", (_, nth) => ({
    event: "UserPromptSubmit",
    payload: { ...session, prompt: `told ${nth}` }
  })),
  ...each("export", (samples) =>
    tool(
      "Read",
      { file_path: "a.txt" },
      { type: "text", file: { filePath: "a.txt", content: page(samples) } }
    )
  ),
  ...samplesOf("search index").map(({ mark, text }) => ({
    event: "UserPromptSubmit",
    payload: { ...session, prompt: `${text}\n\n${mark}` }
  })),
  { event: "SessionEnd", payload: { session_id: "s-1", transcript_path: transcript, reason: "other" } }
]

/** A line for each message, as agents write them. */
const transcriptText = (): string =>
  samplesOf("transcript")
    .map(({ mark, text }, nth) => ({
      type: nth % 2 === 0 ? "user" : "assistant",
      uuid: mark,
      message: {
        role: nth % 2 === 0 ? "user" : "assistant",
        content:
          nth % 3 === 0
            ? text
            : nth % 3 === 1
              ? [{ type: "text", text }]
              : [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text }] }]
      }
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")

let host: RunningHost | undefined
let place: Station
let frames: readonly StateText[] = []
let kept: readonly StateText[] = []
/** Of all pieces of all secrets those that stand somewhere. */
let inClear: ReadonlySet<string> = new Set()

const fire = async ({ event, payload }: Call): Promise<void> => {
  const { code } = await place.fire({
    event,
    input: JSON.stringify({ ...payload, cwd: place.project, hook_event_name: event })
  })
  expect(code).toBe(0)
}

/** Calls that nobody has to wait for, while no host can start. */
const leave = async (): Promise<void> => {
  const start = join(place.state, "bin", "host")
  const script = readFileSync(start)
  rmSync(start)
  writeFileSync(start, "#!/bin/sh\n", { mode: 0o700 })
  await inTurns(
    each("left frame", (samples) => ({
      event: "SubagentStop",
      payload: { ...session, stop_hook_active: false, last_assistant_message: page(samples) }
    })),
    4,
    fire
  )
  frames = filesIn(join(place.state, "spool"))
    .filter((file) => file.endsWith(".frame"))
    .map(bytesOf)
  writeFileSync(start, script, { mode: 0o700 })
}

/** What the commands show of it all; the search also makes its index. */
const shown = async (): Promise<readonly StateText[]> => {
  const texts: StateText[] = []
  for (const args of [
    ["search", "password", "--all", "--json", "--limit", "200"],
    ["notes", "list", "--all", "--json"],
    ["log", "--json"]
  ]) {
    const { code, stdout } = await command(place, ...args)
    expect(code).toBe(0)
    texts.push({ where: args.join(" "), text: stdout })
  }
  return texts
}

/** Where the samples of a place have to be, redacted or not. */
const arrived: Readonly<Partial<Record<Place, RegExp>>> = {
  transcript: /\.jsonl\.gz$/,
  export: /^log --json$/,
  note: /^notes list /,
  "search index": / search_documents$/
}

describe.skipIf(!existsSync(shippedClient()))("of a hundred secrets", () => {
  beforeAll(async () => {
    place = await station()
    const { home, state, userFolder } = place
    place.putUser("hooks/sayers.ts", handlers)
    writeFileSync(join(home, "noise.json"), JSON.stringify(pagesOf("handler's noise").map(parts)))
    writeFileSync(join(home, "told.json"), JSON.stringify(pagesOf("handler's reply").map(page)))
    await Effect.runPromise(buildHooks({ state, userFolder, defaults: true }))
    await equip(place)
    await leave()
    host = await startHost(place)
    await inTurns(calls(place.put("../transcript.jsonl", transcriptText())), 4, fire)
    await inTurns(pagesOf("note"), 4, async (samples) =>
      expect(await command(place, "note", page(samples))).toMatchObject({ code: 0, stderr: "" })
    )
    await untilJobs(state, (facts) =>
      facts.some(({ data, type }) => type === "JOB_SUCCEEDED" && JSON.stringify(data).includes(".jsonl.gz"))
    )
    const told = await shown()
    expect(await host.stop()).toMatchObject({ code: 0 })
    kept = [...frames, ...told, ...stateTexts(state)]
    const pieces = places.flatMap((name) => samplesOf(name).flatMap(({ secret }) => piecesOf(secret)))
    inClear = new Set([
      ...kept.flatMap(({ text }) => [
        ...standingIn(text, pieces),
        ...(text.includes("\\") ? standingIn(unescaped(text), pieces) : [])
      ]),
      ...indexed(state, pieces)
    ])
  }, 120_000)
  afterAll(async () => {
    await host?.stop("SIGKILL")
  })

  it("there are a hundred, of many kinds, each in its text and another in each place", () => {
    const all = places.flatMap(samplesOf)
    expect(all.length).toBe(1200)
    expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(12)
    expect(new Set(all.map(({ secret }) => secret)).size).toBe(1200)
    for (const { secret, text } of all) expect(unescaped(text)).toContain(secret)
  })

  it("a call that waits for a host shows nothing", () => {
    expect(frames).toHaveLength(pagesOf("left frame").length)
    for (const { text } of frames) expect(text).not.toContain("Nothing of note")
  })

  it.each(places)("%s: all of them came there", (name) => {
    const where = arrived[name] ?? / facts$/
    const texts = kept.filter((one) => where.test(one.where))
    expect(samplesOf(name).filter(({ mark }) => !texts.some(({ text }) => text.includes(mark)))).toEqual([])
  })

  it.each(places)("%s: at least 97 are nowhere in clear", (name) => {
    const seen = samplesOf(name).filter(({ secret }) => piecesOf(secret).some((piece) => inClear.has(piece)))
    expect(seen.map(({ kind, text }) => `${kind}: ${text}`).slice(3)).toEqual([])
  })
})
