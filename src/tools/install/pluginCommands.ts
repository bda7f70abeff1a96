/**
 * What our plugins in agents without command hooks have in common, as the text of a module: they start the commands that
 * `hooktape.json` in the folder above registers, one JSON document each, and put together what those answer.
 */
export const pluginCommandsText = `import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = dirname(dirname(fileURLToPath(import.meta.url)))

const registered = () => {
  try {
    return JSON.parse(readFileSync(join(folder, "hooktape.json"), "utf8")).hooks ?? {}
  } catch {
    return {}
  }
}

const parsed = (text) => {
  try {
    const value = JSON.parse(text)
    return typeof value === "object" && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** What a command answers. One that cannot be started, or is not through in time, has nothing to say. */
const run = ({ command, timeout = 10_000 }, payload, cwd, env, limit) =>
  new Promise((done) => {
    const child = spawn(command, { cwd, env, shell: true, stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      done({})
    }, Math.min(timeout, limit))
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text))
    child.on("error", () => done({}))
    child.on("close", (code) => {
      clearTimeout(timer)
      done(code === 2 ? { decision: "block", reason: err.trim() || "Blocked by a hook." } : parsed(out))
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(payload))
  })

const isText = (value) => typeof value === "string" && value !== ""

/** Of all commands of the payload's event, each within its own time-out and a limit in ms. */
const answersOf = async (hooks, payload, cwd, env, limit = Infinity) => {
  const entries = hooks[payload.hook_event_name]
  const commands = (Array.isArray(entries) ? entries : []).filter(({ command }) => isText(command))
  const answers = await Promise.all(commands.map((entry) => run(entry, payload, cwd, env, limit)))
  const texts = (name) => answers.map((answer) => answer[name]).filter(isText).join("\\n\\n")
  const decides = (what) => answers.some(({ decision }) => decision === what)
  return {
    context: texts("context"),
    hint: texts("hint"),
    output: texts("output"),
    args: Object.assign({}, ...answers.map(({ args }) => args)),
    isBlock: decides("block"),
    isAsk: decides("ask"),
    isAllow: decides("allow"),
    reason: texts("reason") || "Blocked by a hook."
  }
}
`
