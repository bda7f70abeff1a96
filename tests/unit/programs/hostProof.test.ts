/** Where the host's address is no file, as on Windows, nobody is told the token: commands and host prove to each other that they know it. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { CallCounts } from "../../../src/programs/host/Activity.ts"
import { makeReception } from "../../../src/programs/host/reception.ts"
import { makeSocketServer } from "../../../src/programs/host/socketServer.ts"
import { askHost } from "../../../src/runtime/host/askHost.ts"
import { makeProven, newNonce, proofOf, withoutProof, withProof } from "../../../src/runtime/host/proof.ts"
import { answerFrame } from "../../../src/runtime/host/wireProtocol.ts"

const token = "5".repeat(32)
const never = () => Promise.reject(new Error("no call comes this way"))

/** A name that Linux keeps apart from files, in place of a pipe. */
const place = (isFile = false) => {
  const state = mkdtempSync(join(homedir(), "proof-"))
  mkdirSync(join(state, "run"))
  writeFileSync(join(state, "run", "token"), token)
  const file = join(state, "run", "host.sock")
  return { state, address: { path: isFile ? file : `\0${file}`, isFile } }
}

const host = async ({ address }: ReturnType<typeof place>, known = token) => {
  const asked: string[] = []
  const reception = makeReception({
    answer: never,
    calls: { during: never, underway: () => 0 } as unknown as CallCounts,
    most: 1,
    token: known,
    control: async (event) => {
      asked.push(event)
      return { exitCode: 0, stdout: `{"told":"${event}"}\n`, stderr: "" }
    },
    hasLeft: () => false,
    sessionOf: () => null,
    before: never
  })
  const server = makeSocketServer(address, 1000, (...call) => reception.serve(...call, "socket"))
  await server.listen()
  return { asked, close: server.close }
}

/** Says the same to whoever comes, and keeps what it is told. */
const stranger = async ({ address }: ReturnType<typeof place>, answer: Buffer) => {
  const heard: Buffer[] = []
  const server = createServer((socket) => {
    socket.on("data", (data) => heard.push(data))
    socket.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(address.path, resolve))
  return { heard: () => Buffer.concat(heard).toString("latin1"), close: () => server.close() }
}

const ask = ({ address, state }: ReturnType<typeof place>) =>
  Effect.runPromise(Effect.either(askHost(state, "status", 5000, address)))

describe.skipIf(process.platform !== "linux")("a host at an address that is no file", () => {
  it("and a command that knows its token understand each other, as they do at one that is", async () => {
    for (const isFile of [false, true]) {
      const at = place(isFile)
      const { asked, close } = await host(at)
      expect(await ask(at)).toMatchObject({
        _tag: "Right",
        right: { stdout: '{"told":"status"}\n', exitCode: 0 }
      })
      expect(asked).toEqual(["status"])
      close()
    }
  })

  it("of another token is not asked, and not believed", async () => {
    const at = place()
    const { asked, close } = await host(at, "6".repeat(32))
    expect(await ask(at)).toMatchObject({ _tag: "Left", left: { reason: "refused" } })
    expect(asked).toEqual([])
    close()
  })

  it("that is none learns no token, and what it says is not passed on", async () => {
    const at = place()
    const answer = answerFrame({
      exitCode: 0,
      stdout: `${"0".repeat(64)}\n{"told":"a lie"}`,
      stderr: "a lie"
    })
    const { close, heard } = await stranger(at, answer)
    const told = await ask(at)
    expect(told).toMatchObject({ _tag: "Left", left: { reason: "refused" } })
    expect(JSON.stringify(told)).not.toContain("a lie")
    expect(heard()).toContain("proof ")
    expect(heard()).not.toContain(token)
    close()
  })

  it("that could read no token of this directory is not believed either", async () => {
    const at = place()
    writeFileSync(join(at.state, "run", "token"), "")
    const { close } = await host(at, "")
    expect(await ask(at)).toMatchObject({ _tag: "Left", left: { reason: "refused" } })
    close()
  })
})

describe("a proof", () => {
  it("is good for its event, its time and once", () => {
    let now = 1_800_000_000_000
    const proven = makeProven(token, () => now)
    const nonce = newNonce()
    const proof = proofOf(token, "status", nonce, now)
    expect([proven(proof, "stop"), proven(proof.replace("proof", "Proof"), "status")]).toEqual([
      undefined,
      undefined
    ])
    expect([proven(proof, "status"), proven(proof, "status")]).toEqual([nonce, undefined])
    const later = proofOf(token, "status", newNonce(), now)
    now += 30_001
    expect([proven(later, "status"), proven(proof, "status")]).toEqual([undefined, undefined])
    expect(proven(proofOf("another", "status", newNonce(), now), "status")).toBeUndefined()
    expect(makeProven("", () => now)(proofOf("", "status", newNonce(), now), "status")).toBeUndefined()
  })

  it("of an answer is of this answer to this question", () => {
    const nonce = newNonce()
    const answer = { exitCode: 0, stdout: "{}\n", stderr: "" }
    const proved = withProof(token, nonce, answer)
    expect(withoutProof(token, nonce, proved)).toEqual(answer)
    expect(withoutProof(token, newNonce(), proved)).toBeUndefined()
    expect(withoutProof("another", nonce, proved)).toBeUndefined()
    expect(withoutProof(token, nonce, answer)).toBeUndefined()
    for (const other of [{ exitCode: 1 }, { stderr: "x" }, { stdout: `${proved.stdout} ` }])
      expect(withoutProof(token, nonce, { ...proved, ...other })).toBeUndefined()
  })
})
