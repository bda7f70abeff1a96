/**
 * The main job on real input: hook calls recorded from real sessions of three agents, played through the compiled entrypoints in
 * a home of their own, then read back from the log.
 */
import { mkdtempSync, realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install, readRecording, setStage } from "./stage.ts"
import { type LogLine, tableOf } from "./table.ts"

const say = (text: string) => process.stdout.write(`${text}\n`)
const onTerminal = process.stdout.isTTY
const colours = { heading: "1", blocked: "31", failed: "33", plain: "0" } as const
const paint = (kind: keyof typeof colours, text: string): string =>
  onTerminal && process.env["NO_COLOR"] === undefined ? `\u001B[${colours[kind]}m${text}\u001B[0m` : text

const stage = setStage(realpathSync(mkdtempSync(join(tmpdir(), "hooktape-demo-"))))
const { hooktape, must, play, state } = stage
install(stage)

const calls = readRecording()
say(`\nPlaying ${calls.length} hook calls, recorded from real agents, through ${state}/bin/hook …\n`)
let failed = 0
for (const [index, call] of calls.entries()) {
  if (onTerminal) process.stdout.write(`\r${index + 1}/${calls.length} `)
  const { status } = play(call)
  // A hook answers with 0, or with 2 where it blocks.
  if (status !== 0 && status !== 2) failed++
}
if (onTerminal) process.stdout.write("\r")

const table = tableOf(
  must(["log", "--json"])
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LogLine)
)
for (const { kind, text } of table.lines) say(paint(kind, text))
say(`\n${table.summary.join("\n")}`)

const shown = table.blocked ?? "last"
say(paint("heading", `\n$ hooktape show ${shown}\n`))
hooktape(["show", shown], true)
say(paint("heading", "\n$ hooktape replay --all\n"))
const { status: replayed } = hooktape(["replay", "--all"], true)
say(`\nThe log of this demo lies in ${state}/log.sqlite. To look around in it:`)
say(`  HOOKTAPE_HOME='${state}' npx hooktape log`)

if (table.calls !== calls.length || table.lost > 0 || failed > 0 || replayed !== 0) {
  const { calls: logged, lost } = table
  process.stderr.write(
    `demo: ${calls.length} calls were played, ${failed} failed, ${logged} are on the log, ${lost} of them lost\n`
  )
  process.exitCode = 1
}
