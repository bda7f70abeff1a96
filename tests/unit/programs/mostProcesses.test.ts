/** How many processes run handlers at most, as the host reads it when it starts. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { mostProcesses } from "../../../src/programs/host/mostProcesses.ts"

const read = async (config?: string, more: NodeJS.ProcessEnv = {}) => {
  const home = mkdtempSync(join(tmpdir(), "most-"))
  mkdirSync(join(home, ".config", "hooktape"), { recursive: true })
  if (config !== undefined) writeFileSync(join(home, ".config", "hooktape", "config.json"), config)
  const noted: string[] = []
  const most = await mostProcesses({ HOME: home, ...more }, (problem) => noted.push(problem))
  return { most, noted }
}

describe("the most processes that run handlers", () => {
  it.each([
    ["nothing is configured", undefined, 4],
    ["nothing is said of it", '{ "deadlineMs": 3000 }', 4],
    ["it is one", '{ "handlerProcesses": 1 }', 1],
    ["it is many", '{ // as on my other machine\n "handlerProcesses": 16, }', 16]
  ])("are the user's word where %s", async (_, config, most) => {
    expect(await read(config)).toEqual({ most, noted: [] })
  })

  it.each([
    ['{ "handlerProcesses": 17 }', "must be a whole number from 1 to 16"],
    ['{ "handlerProcesses": 0 }', "must be a whole number from 1 to 16"],
    ['{ "handlerProcesses": ', "is not JSON"]
  ])("are as always where it cannot be read: %s", async (config, why) => {
    const { most, noted } = await read(config)
    expect(most).toBe(4)
    expect(noted).toEqual([expect.stringContaining(why)])
  })
})
