/** What an answer says beside itself, for where the agent cannot be told: each half of it stands without the other. */
import { describe, expect, it } from "vitest"
import { type Answer, answerFrame } from "../../../src/runtime/host/wireProtocol.ts"

const answer: Answer = { stdout: '{"deny":1}\n', stderr: "", exitCode: 0 }
const instead = { stderr: "stop\n", exitCode: 2 }
const header = 14

/** Kind, whether something is said in its place, the exit code of that, and both texts. */
const read = (bytes: Buffer) => {
  const at = header + bytes.readUInt32LE(6) + bytes.readUInt32LE(10)
  if (bytes.length === at) return { kind: bytes.readUInt8(4) }
  const said = bytes.readUInt32LE(at + 4)
  return {
    kind: bytes.readUInt8(4),
    hasInstead: bytes.readUInt8(at) === 1,
    code: bytes.readUInt8(at + 1),
    stderr: bytes.toString("utf8", at + 12, at + 12 + said),
    // The beginning of it: nobody compares megabytes.
    fact: bytes.toString("utf8", at + 12 + said, at + 100 + said)
  }
}
const blocks = { kind: 3, hasInstead: true, code: 2, stderr: "stop\n" }

describe("an answer to a client that knows long ones", () => {
  it("has both", () => {
    expect(read(answerFrame({ ...answer, instead, undelivered: () => "fact\n" }, 3))).toEqual({
      ...blocks,
      fact: "fact\n"
    })
  })

  it.each<readonly [string, Answer["undelivered"]]>([
    ["is not recorded as delivered", () => undefined],
    ["has no fact", undefined],
    [
      "has one that cannot be made",
      () => {
        throw new Error("no")
      }
    ],
    ["has one that no client takes", () => "x".repeat(16 * 1024 * 1024 + 1)]
  ])("still says how a block is said the other way where it %s", (_, undelivered) => {
    expect(read(answerFrame({ ...answer, instead, undelivered }, 3))).toEqual({ ...blocks, fact: "" })
  })

  it.each<readonly [string, Answer, number]>([
    ["a client of before", { ...answer, instead, undelivered: () => "fact\n" }, 2],
    ["one that is told nothing", { ...answer, stdout: "", undelivered: () => "fact\n" }, 3],
    ["one for which there is neither", answer, 3]
  ])("is short for %s", (_, given, kinds) => {
    expect(read(answerFrame(given, kinds))).toEqual({ kind: 0 })
  })
})
