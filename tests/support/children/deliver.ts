/** Delivers a large reply once it is told to, and reports on descriptor 3 what became of it. */
import { readSync, writeSync } from "node:fs"
import { makeEdge } from "../../../src/runtime/Edge.ts"

const [, , size = "0"] = process.argv

/** The test says when: until then its end of the pipe may have gone. */
const told = Buffer.alloc(1)
readSync(0, told, 0, 1, null)

// Node makes what it inherits as 0 to 2 blocking; a launcher's further descriptors it leaves alone.
const text = `${JSON.stringify({ text: "é".repeat(Math.floor(Number(size) / 2)) })}\n`
const { error, exitCode } = makeEdge({ stdout: 4, stderr: 2 }).deliver(
  { stdout: text, stderr: "a diagnostic\n", exitCode: 0, carried: {} },
  ""
)
writeSync(3, JSON.stringify({ exitCode, error: (error as NodeJS.ErrnoException | undefined)?.code ?? null }))
