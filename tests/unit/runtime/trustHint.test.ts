/** What is told of files that are left out follows from their kind, and from no word of their reason. */
import { describe, expect, it } from "vitest"
import { heldHint, remediesFor, trustHint } from "../../../src/runtime/builds/trustHint.ts"
import type { WithheldKind } from "../../../src/state/manifest.ts"

/** With words of another kind. */
const told = (kind: WithheldKind, reason: string) => trustHint([{ file: "a.ts", reason, kind }])

describe("of a file that is left out", () => {
  it.each<readonly [WithheldKind, string, string]>([
    ["taken", "revoked", "hooktape: 1 hook of this project has a name that is taken and does not run."],
    ["broken", "not trusted", 'hooktape: a.ts does not build and does not run. "hooktape check" says why.'],
    [
      "gone",
      "revoked",
      'hooktape: a.ts was trusted and is gone. Put it back, or let it go: "hooktape trust".'
    ],
    [
      "unstarted",
      "trusted, but gone",
      'hooktape: a.ts was trusted and does not run: it is not executable. Run "chmod +x".'
    ],
    ["policy", "revoked", "hooktape: a.ts: revoked; none of its hooks runs."]
  ])("%s, whatever its reason says", (kind, reason, hint) => {
    expect(told(kind, reason)).toBe(hint)
  })

  it("has a remedy, whatever its kind", () => {
    for (const kind of ["taken", "broken", "gone", "unstarted", "policy", "revoked", undefined] as const)
      expect(
        remediesFor([{ file: "a.ts", reason: "why", ...(kind === undefined ? {} : { kind }) }]),
        kind
      ).toHaveLength(1)
  })

  it("is revoked by its kind", () => {
    expect(told("revoked", "does not build")).toContain("was revoked and is left out")
    expect(remediesFor([{ file: "a.ts", reason: "does not build", kind: "revoked" }])).toHaveLength(1)
    expect(heldHint([{ file: "a.ts", reason: "gone", kind: "broken" }])).toContain("a.ts is broken")
  })

  it("names what is another, where that is not the hook's own file", () => {
    const reason = "tools/guard.py changed since you trusted it"
    expect(heldHint([{ file: "config.json#no-nixos", reason }])).toContain(
      "config.json#no-nixos: tools/guard.py changed since you trusted it; its last trusted version runs on"
    )
  })

  it("waits for trust without one, as in builds of versions before", () => {
    const before = { file: "a.ts", reason: "does not build" }
    expect(trustHint([before])).toContain("1 file of this project is not trusted")
    expect(remediesFor([before])).toEqual(['Read what is not trusted, then run "hooktape trust".'])
  })
})
