/** What a client leaves on disk for the next host is read by nobody else, and not where it was changed. */
import { describe, expect, it } from "vitest"
import { isSealed, openFrame, sealFrame } from "../../../src/log/sealedFrame.ts"

const key = Buffer.alloc(32, 7)
const frame = Buffer.from("a request")
/** As an earlier version left it. */
const left = Buffer.from(
  "484b5331c4b322278aca49faafaba04bd336ac731d73e5eda2ff4695a178cff69425ef061f5a693053",
  "hex"
)

describe("a sealed frame", () => {
  it("is opened by its installation, for its call, also where an earlier version sealed it", () => {
    expect(openFrame(key, "call-1", left)).toEqual(frame)
    for (const text of ["", "x", "y".repeat(10_000)])
      expect(openFrame(key, "c", sealFrame(key, "c", Buffer.from(text)))?.toString()).toBe(text)
  })

  it("says nothing to another installation, for another call, or where it was changed or cut", () => {
    expect(openFrame(Buffer.alloc(32, 8), "call-1", left)).toBeUndefined()
    expect(openFrame(key, "call-2", left)).toBeUndefined()
    for (let at = 0; at < left.length; at++) {
      const changed = Buffer.from(left)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(openFrame(key, "call-1", changed), `byte ${at}`).toBeUndefined()
      expect(openFrame(key, "call-1", left.subarray(0, at)), `${at} bytes`).toBeUndefined()
    }
  })

  it("shows nothing of what it holds, and looks different each time", () => {
    const [one, other] = [sealFrame(key, "c", frame), sealFrame(key, "c", frame)]
    expect(one.equals(other)).toBe(false)
    expect(one.includes("request")).toBe(false)
    expect(one).toHaveLength(4 + 12 + frame.length + 16)
  })

  it("is told by how it begins", () => {
    expect(isSealed(left)).toBe(true)
    expect(isSealed(Buffer.from("HKS1"))).toBe(true)
    for (const text of ["", "HKS", "HKS2", " HKS1"]) expect(isSealed(Buffer.from(text))).toBe(false)
  })
})
