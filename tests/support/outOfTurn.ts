/** A defect of our own, the same whichever way a call comes in: before each handler's success there is a fact out of turn. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Manifest, userManifest } from "../../src/state/manifest.ts"
import type { Station } from "./entrypoint.ts"

const planted = JSON.stringify({
  type: "PAYLOAD_REJECTED",
  reason: "malformed",
  detail: "planted",
  bytes: 0,
  digest: "0"
})

/** In the processes of a host's handlers, which bring their own engine: between them and the host. */
const preload = `
if (process.argv[1]?.endsWith("worker.cjs")) {
  const { stringify } = JSON
  JSON.stringify = (message, ...more) => {
    const at = message?.type === "facts" ? message.facts.findIndex(({ type }) => type === "HANDLER_SUCCEEDED") : -1
    if (at >= 0) message.facts.splice(at, 0, ${planted})
    return stringify(message, ...more)
  }
}`

/** Into the build, whose bundles the entrypoint runs; what it returns does the same to a host that is started with it. */
export const plantOutOfTurn = ({ home, state }: Station): NodeJS.ProcessEnv => {
  const { dir } = JSON.parse(readFileSync(userManifest(state), "utf8")) as Manifest
  let count = 0
  for (const name of readdirSync(dir)) {
    if (!name.endsWith(".cjs")) continue
    const file = join(dir, name)
    const text = readFileSync(file, "utf8")
    const changed = text.replaceAll('{type:"HANDLER_SUCCEEDED"', `${planted},$&`)
    if (changed !== text) count++
    writeFileSync(file, changed)
  }
  if (count === 0) throw new Error("the build has no such fact to plant another before")
  const file = join(home, "out-of-turn.cjs")
  writeFileSync(file, preload)
  return { NODE_OPTIONS: `--require ${JSON.stringify(file)}` }
}
