/** Asks so often whether a limited hook may run, as a hook call would, once its parent gives the sign; prints how often it may. */
import { makePast } from "../../../src/history/makePast.ts"
import { makeRecall } from "../../../src/history/recall.ts"

const [, , state = "", times = "1", options = "{}"] = process.argv
process.stdout.write("ready\n")
process.stdin.once("data", () => {
  let admitted = 0
  for (let nth = 0; nth < Number(times); nth++) {
    const past = makePast({ recall: () => makeRecall, state })
    const hook = { name: "limited", on: "tool.before", run: () => {}, ...JSON.parse(options) } as never
    const asking = { invocation: `${process.pid}-${nth}`, agent: "raw", session: "s", project: "/p" }
    if (past.admit(hook, "tool.before", asking) === undefined) admitted++
    for (const told of past.complaints()) process.stderr.write(`${told}\n`)
  }
  process.stdout.write(`${admitted}\n`)
  process.exit(0)
})
