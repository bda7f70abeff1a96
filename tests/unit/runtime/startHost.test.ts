/** Who starts a host: whoever leaves work behind, but no part of a host. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it, vi } from "vitest"
import { startHost, withinHost } from "../../../src/runtime/startHost.ts"

const state = mkdtempSync(join(homedir(), "hooktape-start-host-"))
const program = join(state, "bin", "host")
mkdirSync(join(state, "bin"))
writeFileSync(program, "#!/bin/sh\nexit 0\n")
chmodSync(program, 0o700)

const realm = globalThis as unknown as Record<symbol, unknown>

afterEach(() => {
  delete realm[Symbol.for("hooktape/within-host")]
  vi.restoreAllMocks()
  rmSync(state, { recursive: true, force: true })
})

it("is not started by the thread and the processes of one: it would only find the lock taken", () => {
  const children = process.getBuiltinModule("node:child_process")
  const spawn = vi.spyOn(children, "spawn")
  startHost(state)
  expect(spawn.mock.calls.map(([started]) => started)).toEqual([program])
  withinHost()
  startHost(state)
  expect(spawn).toHaveBeenCalledTimes(1)
})
