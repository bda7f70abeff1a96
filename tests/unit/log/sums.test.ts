/** Checksums and seals stand in logs that were written before: they stay what they are, and nothing changes without changing them. */
import { describe, expect, it } from "vitest"
import { rowSum, textSum } from "../../../src/log/rowSum.ts"
import { anchorOf, keyName, noSeal, sealKey, sealOf } from "../../../src/log/seals.ts"

type Row = Parameters<typeof rowSum>
const exited = '{"type":"EXITED"}'

const stored: readonly (readonly [Row, number])[] = [
  [[7, 3, 1_760_000_000_000, 1_760_000_000_001, "id-1", null, null, 11, 22, 33, exited], -895_760_547],
  [[8, 4, 1_760_000_000_000.5, 1_760_000_000_002, "id-2", "id-1", "t-1", 11, 22, 33, exited], 134_147_658],
  [
    [
      9,
      5,
      1_760_000_000_003,
      1_760_000_000_004,
      "id-3",
      "id-1",
      "t-1",
      11,
      22,
      33,
      '{"type":"EXITED","code":0}'
    ],
    -939_267_018
  ]
]

describe("the sum of a text", () => {
  it.each([
    ["", 525_973_120],
    ["a", 1_096_866_745],
    ["abcd", 19_665_741],
    ["abcdefg", 2_046_693_292],
    ["hooktape records what happened", -777_378_929],
    ["x".repeat(199), -575_307_822],
    ["x".repeat(200), 1_170_644_191],
    ["ä😀".repeat(100), 1_554_378_562]
  ])("is what earlier versions stored: %s", (text, sum) => expect(textSum(text)).toBe(sum))

  it.each([1, 3, 4, 5, 6, 7, 8, 199, 200, 201])("of %i characters changes with each of them", (length) => {
    const text = "m".repeat(length)
    const sums = new Set([textSum(text)])
    for (let at = 0; at < length; at++) sums.add(textSum(`${text.slice(0, at)}n${text.slice(at + 1)}`))
    expect(sums.size).toBe(length + 1)
  })
})

describe("the sum of a row", () => {
  it("is what earlier versions stored, whichever was summed before", () => {
    for (const order of [stored, stored.toReversed(), [...stored, ...stored]])
      for (const [row, sum] of order) expect(rowSum(...row)).toBe(sum)
  })

  it("changes with each member, and with a text in another member's place", () => {
    const [row] = stored[1] as readonly [Row, number]
    const others: Row[] = row.map((member, at) =>
      row.with(at, typeof member === "number" ? member + 1 : `${member}x`)
    ) as Row[]
    const moved: Row[] = [
      row.with(5, null),
      row.with(6, null),
      row.with(5, null).with(6, "id-1"),
      row.with(5, "t-1").with(6, null),
      row.with(5, "t-1").with(6, "id-1"),
      row.with(2, row[3]).with(3, row[2]),
      row.with(7, 22).with(8, 11)
    ] as Row[]
    for (const other of [...others, ...moved]) expect(rowSum(...other)).not.toBe(rowSum(...row))
  })
})

describe("a seal", () => {
  const key = sealKey(Buffer.alloc(32, 7))
  const batch = { first: 4, last: 6 }
  const rows = [
    { position: 4, sum: -5 },
    { position: 6, sum: 77 }
  ]
  const seal = sealOf(key, noSeal, batch, rows)

  it("is what earlier versions stored, and so are its key's name and an anchor", () => {
    expect(keyName(key)).toBe("e71bbb4b13759973")
    expect(seal.toString("hex")).toBe("fe203e702db6eff446beba09d11cc583")
    expect(anchorOf(key, noSeal, seal, batch, rows.slice(1)).toString("hex")).toBe(
      "d87e03f614cabebd4d82ed098f32c854"
    )
  })

  it("speaks for the batch, its rows, their order, what came before it, and its key", () => {
    const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]]
    const others = [
      sealOf(sealKey(Buffer.alloc(32, 8)), noSeal, batch, rows),
      sealOf(key, seal, batch, rows),
      sealOf(key, noSeal, { first: 3, last: 6 }, rows),
      sealOf(key, noSeal, { first: 4, last: 7 }, rows),
      sealOf(key, noSeal, batch, [first]),
      sealOf(key, noSeal, batch, [second, first]),
      sealOf(key, noSeal, batch, [first, { ...second, sum: 78 }]),
      sealOf(key, noSeal, batch, [first, { ...second, position: 5 }]),
      anchorOf(key, noSeal, noSeal, batch, rows),
      anchorOf(key, noSeal, seal, batch, rows),
      anchorOf(key, seal, seal, batch, rows)
    ]
    expect(new Set([seal, ...others].map((one) => one.toString("hex"))).size).toBe(others.length + 1)
  })
})
