/** A service that is open only as long as somebody wants it, and keeps nothing when nobody does. */
import { expect, it } from "vitest"
import { whileWanted } from "../../../src/programs/host/whileWanted.ts"

const made = (wanted: boolean) => {
  const seen: string[] = []
  let isWanted = wanted
  const service = whileWanted(
    {
      name: "x",
      open: () => void seen.push("open"),
      tick: () => seen.push("tick") > 0,
      close: () => void seen.push("close")
    },
    { isWanted: () => isWanted, drop: () => void seen.push("drop"), everyMs: 0 }
  )
  return {
    service,
    seen,
    want: (is: boolean) => {
      isWanted = is
    }
  }
}

it("is opened once somebody wants it, and works as long", () => {
  const { seen, service, want } = made(false)
  service.open()
  expect(service.tick?.()).toBe(false)
  want(true)
  expect([service.tick?.(), service.tick?.()]).toEqual([true, true])
  expect(seen).toEqual(["drop", "open", "tick", "tick"])
})

it("drops what it kept once nobody wants it any more, once, and also what an earlier life left", () => {
  const { seen, service, want } = made(true)
  service.open()
  want(false)
  for (let nth = 0; nth < 3; nth++) expect(service.tick?.()).toBe(false)
  expect(seen).toEqual(["open", "close", "drop"])
  want(true)
  service.tick?.()
  want(false)
  service.tick?.()
  expect(seen.slice(3)).toEqual(["open", "tick", "close", "drop"])
})
