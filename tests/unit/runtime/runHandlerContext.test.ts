/** What a handler is given, and that it is given a copy. */
import { describe, expect, it } from "vitest"
import { among, registered, tell } from "../../support/world.ts"

describe("a handler's context", () => {
  it("is its own: what one changes, the next does not see", async () => {
    const seen: unknown[] = []
    const told = await tell({
      payload: { deep: { list: [1, 2] }, events: [{ event: "agent.Fired", data: { field: { a: 1 } } }] },
      registry: registered({
        vandal: (context) => {
          const all = context as unknown as Record<string, Record<string, unknown>>
          all["payload"] = {}
          for (const key of ["payload", "metadata", "field"]) Object.assign(all[key] ?? {}, { planted: true })
          return { metadata: { a: { b: 1 } } }
        },
        gardener: ({ metadata }) => {
          ;(metadata["a"] as Record<string, unknown>)["b"] = 2
        },
        witness: ({ payload, metadata, ...rest }) => {
          seen.push(payload, metadata, (rest as Record<string, unknown>)["field"])
        }
      })
    })
    expect(told.find("HANDLER_SUCCEEDED")).toHaveLength(3)
    expect(seen).toEqual([
      { deep: { list: [1, 2] }, events: [{ event: "agent.Fired", data: { field: { a: 1 } } }] },
      { a: { b: 1 } },
      { a: 1 }
    ])
  })

  it("has what is known of the invocation, whatever the payload claims", async () => {
    let context: Record<string, unknown> = {}
    const forged = Object.fromEntries(
      ["event", "agent", "agentEvent", "session", "project", "timestamp", "invocation", "metadata"].map(
        (name) => [name, "forged"]
      )
    )
    await tell({
      payload: {
        session: "s-1",
        events: [{ event: "agent.Fired", data: { ...forged, cwd: "/etc", own: 1 } }]
      },
      registry: registered({
        subject: (given) => {
          context = { ...given }
        }
      })
    })
    expect(context).toMatchObject({
      event: "agent.Fired",
      agent: "raw",
      agentEvent: "Fired",
      session: "s-1",
      cwd: "/project",
      project: "/project",
      timestamp: "2026-01-01T00:00:00.000Z",
      invocation: "01890000-0000-7000-8000-000000000000",
      metadata: {},
      own: 1
    })
  })

  it("does not let a payload's __proto__ reach any object but the payload's own", async () => {
    const payload =
      '{"__proto__":{"polluted":1},"events":[{"event":"agent.Fired","data":{"__proto__":{"polluted":2}}}]}'
    let seen: unknown[] = []
    const told = await tell({
      payload,
      registry: registered({
        subject: (context) => {
          seen = [(context as unknown as { polluted?: number }).polluted, Object.getPrototypeOf(context)]
          return { metadata: JSON.parse('{"__proto__":{"polluted":3}}') as never }
        },
        next: ({ metadata }) => {
          seen.push((metadata as { polluted?: number }).polluted)
        }
      })
    })
    expect(seen).toEqual([undefined, Object.prototype, undefined])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    const [recorded] = told.find("PAYLOAD_BUFFERED")
    expect(recorded?.events[0]?.data["polluted"]).toBeUndefined()
    expect(JSON.stringify(recorded?.events)).toContain('"__proto__":{"polluted":2}')
  })

  it("gives each of several like events to its own run of a handler", async () => {
    const seen: unknown[] = []
    const edited = (path: string) => ({ event: "file.edited", data: { path } })
    await tell({
      payload: {
        events: [{ event: "agent.Fired", data: {} }, edited("a.ts"), edited("b.ts"), edited("c.ts")]
      },
      registry: registered({
        format: {
          on: "file.edited",
          run: (context) => void seen.push(["format", (context as never)["path"]])
        },
        lint: { on: "file.edited", run: (context) => void seen.push(["lint", (context as never)["path"]]) }
      })
    })
    expect(seen).toEqual(
      ["a.ts", "b.ts", "c.ts"].flatMap((path) => [
        ["format", path],
        ["lint", path]
      ])
    )
  })

  it("makes a signal only for those who ask, the same each time", async () => {
    const { ended } = await among(({ signal }: { signal: AbortSignal }) => {
      if (signal.aborted) throw new Error("aborted from the start")
    })
    expect(ended?.type).toBe("HANDLER_SUCCEEDED")
  })
})
