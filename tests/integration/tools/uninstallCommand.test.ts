/** `hooktape uninstall`: what goes on running when nothing calls hooktape any more. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { command } from "../../support/command.ts"
import { station } from "../../support/entrypoint.ts"
import { startHost } from "../../support/host.ts"

it("stops the host with the last agent, and not before", async () => {
  const place = await station()
  for (const folder of [".claude", ".codex"]) mkdirSync(join(place.env["HOME"] ?? "", folder))
  for (const agent of ["claude-code", "codex"])
    expect((await command(place, "install", "--agent", agent)).code).toBe(0)
  const host = await startHost(place)
  try {
    const first = await command(place, "uninstall", "--agent", "codex")
    expect(first).toMatchObject({ code: 0, stdout: expect.not.stringContaining("host") })
    const { pid } = await host.status()
    expect(pid).toBe(host.child.pid)
    const last = await command(place, "uninstall", "--agent", "claude-code")
    expect(last).toMatchObject({ code: 0, stdout: expect.stringContaining("its host has stopped.\n") })
    await expect(host.status()).rejects.toThrow()
  } finally {
    await host.stop("SIGKILL")
  }
})
