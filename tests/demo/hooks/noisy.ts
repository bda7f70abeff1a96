/** A handler that writes to every stream it can find: none of it reaches the agent. */
import { spawnSync } from "node:child_process"
import { writeSync } from "node:fs"
import { defineHook } from "hooktape"

export default defineHook({
  name: "noisy",
  on: "tool.after",
  priority: 900,
  run: () => {
    console.log("noisy: through console.log")
    process.stderr.write("noisy: through process.stderr\n")
    writeSync(1, "noisy: straight to descriptor 1\n")
    spawnSync("sh", ["-c", "echo noisy: from a child process"], { stdio: "inherit" })
  }
})
