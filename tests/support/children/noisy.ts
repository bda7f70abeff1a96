/** Makes noise in every way there is, behind the launcher's redirection; answers on descriptor 3. */
import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { captureFiles } from "../../../src/runtime/noise.ts"

const prefix = process.env["NOISE"] ?? ""
const noise = captureFiles(prefix)
const left = readdirSync(dirname(prefix))

console.log("console.log")
console.error("console.error")
process.stdout.write("stream\n")
process.stderr.write("stream\n")
writeSync(1, "native\n")
writeSync(2, "native\n")
spawnSync("sh", ["-c", "echo child; echo child >&2"], { stdio: "inherit" })
execFileSync("sh", ["-c", "echo grandchild >&2"])
const first = noise.take()
console.log("again")
const second = noise.take()
const third = noise.take()
spawnSync("sh", ["-c", "echo anew > /dev/stdout"], { stdio: "inherit" })
const fourth = noise.take()
noise.restore()
noise.restore()
writeSync(3, JSON.stringify({ left, first, second, third, fourth, after: noise.take() }))
