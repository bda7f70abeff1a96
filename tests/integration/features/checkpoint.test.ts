/** A checkpoint, from its evidence to the log: judged, looked at by the shipped gate, refused or recorded, announced. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { evidenceIn } from "../../../src/features/checkpoints/evidence.ts"
import { takeCheckpoint } from "../../../src/features/checkpoints/takeCheckpoint.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { dataOf, type Station, station } from "../../support/entrypoint.ts"

const hook = (name: string, on: string, run: string, more = "") =>
  `import { blockingFeedback, defineHook, userHint } from "hooktape"
  export default defineHook({ name: "${name}", on: "${on}", ${more} run: ${run} })\n`

const build = (at: Station) =>
  Effect.runPromise(buildHooks({ state: at.state, userFolder: at.userFolder, defaults: true }))

const command = (at: Station, command: string, exitCode: number) =>
  at.fire({
    agent: "raw",
    event: "tool.after",
    input: JSON.stringify({
      session: "s-1",
      tool: { name: "sh", kind: "shell", command, exitCode, response: exitCode === 0 ? "" : "Error: no" }
    })
  })

const take = async (at: Station) =>
  takeCheckpoint({
    state: at.state,
    project: at.project,
    cwd: at.project,
    session: "s-1",
    trigger: "operator",
    log: evidenceIn(await at.facts())
  })

it("with a quality under 60 is unsuccessful and says why", async () => {
  const at = await station()
  at.putUser("hooks/after.ts", hook("after", "checkpoint.after", "() => userHint('never')"))
  await build(at)
  await command(at, "npm test", 1)
  const { checkpoint, intents } = await take(at)
  expect(checkpoint).toMatchObject({ successful: false, validated: false })
  expect(checkpoint.quality).toBeLessThan(60)
  expect(checkpoint.refused).toMatchObject({
    by: "quality-gate",
    reason: expect.stringMatching(/^quality \d+ is under 60 \(tests: `npm test` failed/)
  })
  expect(intents.some(({ intent }) => intent.type === "USER_HINT")).toBe(false)
  const facts = await at.facts()
  expect(facts.filter(({ event }) => event === "checkpoint.after")).toEqual([])
  const refusal = facts.find(({ type }) => type === "CHECKPOINT_REFUSED")
  expect(refusal).toMatchObject({ known: true, session: "s-1", project: at.project })
  expect(refusal?.data).toMatchObject({ by: "quality-gate", components: checkpoint.components })
})

it("with a quality that passes is validated, which later hooks are told, and stored with every component", async () => {
  const at = await station()
  const told = "({ metadata }) => userHint(JSON.stringify(metadata))"
  at.putUser("hooks/later.ts", hook("later", "checkpoint.before", told, "priority: 900,"))
  at.putUser("hooks/earlier.ts", hook("earlier", "checkpoint.before", told, "priority: 10,"))
  at.putUser(
    "hooks/after.ts",
    hook(
      "after",
      "checkpoint.after",
      "({ checkpoint, quality, validated }) => userHint([checkpoint, quality, validated].join())"
    )
  )
  await build(at)
  await command(at, "npm test", 0)
  const { checkpoint, intents } = await take(at)
  const { quality } = checkpoint
  expect(checkpoint).toMatchObject({ successful: true, validated: true, refused: null })
  expect(intents.map(({ handler, intent }) => [handler, "text" in intent ? intent.text : ""])).toEqual([
    ["earlier", "{}"],
    ["later", JSON.stringify({ validated: true, quality })],
    ["after", [checkpoint.checkpoint, quality, true].join()]
  ])
  const facts = await at.facts()
  const record = facts.find(({ type }) => type === "CHECKPOINT_RECORDED")
  expect(record?.data).toMatchObject({ quality, validated: true, components: checkpoint.components })
  expect(facts.find(({ id }) => id === record?.cause)).toMatchObject({
    type: "EXITED",
    event: "checkpoint.before"
  })
  const before = (await at.runs()).find(
    (run) => dataOf(run, "PAYLOAD_BUFFERED")[0]?.events[0]?.event === "checkpoint.before"
  )
  const plan = before && dataOf(before, "HANDLERS_PLANNED")[0]?.handlers
  expect(plan?.map(({ handler, priority }) => [handler, priority])).toEqual([
    ["earlier", 10],
    ["quality-gate", 50],
    ["later", 900]
  ])
})

it("that any hook of the user's refuses is refused", async () => {
  const at = await station()
  at.putUser("hooks/no.ts", hook("no", "checkpoint.before", "() => blockingFeedback('it is Friday')"))
  await build(at)
  const { checkpoint } = await take(at)
  expect(checkpoint).toMatchObject({ successful: false, refused: { by: "no", reason: "it is Friday" } })
})

it("of a repository has its commit, its branch, and how much is not committed", async () => {
  const at = await station()
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", at.project, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      encoding: "utf8"
    })
  git("init", "-q", "-b", "work")
  for (const name of ["a", "b"]) writeFileSync(join(at.project, name), "1\n")
  git("add", "a")
  git("commit", "-q", "-m", "x")
  writeFileSync(join(at.project, "a"), "1\n2\n3\n")
  const { checkpoint } = await take(at)
  expect(checkpoint).toMatchObject({ branch: "work", commit: git("rev-parse", "--short", "HEAD").trim() })
  const changes = checkpoint.components.find(({ name }) => name === "changes")
  expect(changes).toMatchObject({ weight: 1, score: 100, reason: "2 files with 3 lines uncommitted" })
  const bare = await station()
  expect((await take(bare)).checkpoint).toMatchObject({ branch: null, commit: null, quality: 60 })
})
