/** What `doctor` sets for its probes: a secret that lies in the state directory. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { probeFile } from "../../src/runtime/probe.ts"

export const probing = (state: string): { readonly HOOKTAPE_PROBE: string } => {
  const secret = "0123456789abcdef".repeat(4)
  mkdirSync(dirname(probeFile(state)), { recursive: true })
  writeFileSync(probeFile(state), secret, { mode: 0o600 })
  return { HOOKTAPE_PROBE: secret }
}
