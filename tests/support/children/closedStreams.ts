/** Closes its standard streams, kept as they are and not; answers on descriptor 3 with the number that the next file gets each time. */
import { close, closeSync, openSync, writeSync } from "node:fs"
import { keepStandardStreams, refillStandardStreams } from "../../../src/runtime/standardStreams.ts"

const nextNumber = (): number => {
  const number = openSync("/dev/null", "r")
  closeSync(number)
  return number
}

for (const one of [0, 1, 2]) closeSync(one)
const closed = nextNumber()
refillStandardStreams()
const refilled = nextNumber()
keepStandardStreams()
closeSync(1)
close(2, (error) => {
  writeSync(3, JSON.stringify({ closed, refilled, kept: nextNumber(), error }))
})
