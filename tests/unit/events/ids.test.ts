/** Ids as RFC 9562 lays them out: a time of 48 bits, a version, a variant, and 74 bits of chance. */
import { describe, expect, it } from "vitest"
import { derivedId, invocationId, isUuid, timeOf, uuidv7 } from "../../../events/ids.ts"

const ones = new Uint8Array(10).fill(0xff)
const none = new Uint8Array(10)

/** Bit by bit, as the RFC draws it. */
const laidOut = (time: number, random: Uint8Array): string => {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(time, 0, 6)
  bytes.set(random, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

describe("an id", () => {
  it("is the example of the RFC", () => {
    const random = Buffer.from("0cc318c4dc0c0c07398f", "hex")
    expect(uuidv7(0x017f22e279b0, random)).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
  })

  it.each([
    [0, none, "00000000-0000-7000-8000-000000000000"],
    [2 ** 48 - 1, ones, "ffffffff-ffff-7fff-bfff-ffffffffffff"]
  ])("at the limit %s is whole", (time, random, expected) => {
    expect(uuidv7(time, random)).toBe(expected)
  })

  it("has every bit in its place", () => {
    for (let bit = 0; bit < 80; bit++) {
      const random = new Uint8Array(10)
      random[bit >> 3] = 0x80 >> (bit & 7)
      const time = bit < 48 ? 2 ** bit : 1_760_000_000_000
      expect(uuidv7(time, random)).toBe(laidOut(time, random))
      expect(isUuid(uuidv7(time, random))).toBe(true)
    }
  })

  it.each([-1, -(2 ** 50), 2 ** 48, 15 * 2 ** 48, Number.NaN, Number.POSITIVE_INFINITY])(
    "is one whatever a clock says, also %s",
    (time) => {
      expect(uuidv7(time, ones)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
      )
    }
  )

  it("sorts by its time, to the millisecond", () => {
    const times = [0, 1, 65_535, 65_536, 1_760_000_000_000, 1_760_000_000_001, 2 ** 47]
    const ids = times.map((time, nth) => uuidv7(time + 0.9, nth % 2 === 0 ? ones : none))
    expect([...ids].sort()).toEqual(ids)
  })

  it("is one where there is less chance than it has room for", () => {
    expect(uuidv7(1, new Uint8Array(2).fill(0xff))).toBe("00000000-0001-7fff-8000-000000000000")
  })
})

describe("an id of a clock beyond what fits", () => {
  it.each([
    [-1, "00000000-0000"],
    [Number.NaN, "00000000-0000"],
    [2 ** 48, "ffffffff-ffff"],
    [2 ** 60, "ffffffff-ffff"]
  ])("of %s is of the nearest time there is", (time, expected) => {
    expect(uuidv7(time, ones).slice(0, 13)).toBe(expected)
  })
})

describe("an id that follows from another", () => {
  const from = "01999999-9999-7fff-bfff-ffffffffffff"

  it.each([
    [from, 0, "01999999-9999-7fff-9e37-79b97f4a7c14"],
    [from, 1, "01999999-9999-7fff-bc6e-f372fe94f829"],
    [from, 1_000_000, "01999999-9999-7fff-9b56-3047cb21eb54"],
    ["01890000-0000-7000-8000-000000000000", 0, "01890000-0000-7000-9e37-79b97f4a7c15"]
  ])("is the one that earlier versions gave: of %s the one with number %i", (id, nth, expected) => {
    expect(derivedId(id, nth)).toBe(expected)
  })
})

describe("what an id tells", () => {
  it("is its time, also of the first and the last there are", () => {
    for (const time of [0, 1, 65_535, 65_536, 1_760_000_000_123, 2 ** 48 - 1])
      expect(timeOf(uuidv7(time, ones))).toBe(time)
    expect(timeOf("no id at all")).toBe(0)
    expect(timeOf("")).toBe(0)
  })

  it("is made of the sources it is given", () => {
    const asked: number[] = []
    const random = (count: number) => {
      asked.push(count)
      return ones.subarray(0, count)
    }
    expect(invocationId({ now: () => 1, random })).toBe("00000000-0001-7fff-bfff-ffffffffffff")
    expect(asked).toEqual([10])
  })

  it.each([
    "",
    "01999999-9999-7fff-bfff-fffffffffff",
    "01999999-9999-7fff-bfff-ffffffffffff0",
    "x01999999-9999-7fff-bfff-ffffffffffff",
    "01999999-9999-7fff-bfff-ffffffffffff\n",
    "01999999-9999-7fff-bfffffffffffffff",
    "01999999-9999-7FFF-bfff-ffffffffffff",
    "01999999_9999-7fff-bfff-ffffffffffff"
  ])("is nothing where it is none of ours: %j", (text) => expect(isUuid(text)).toBe(false))
})
