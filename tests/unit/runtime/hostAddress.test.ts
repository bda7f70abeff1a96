/** Where a host listens: a file of its state directory, and on Windows a pipe that is named after it. */
import { expect, it } from "vitest"
import { hostAddress } from "../../../src/runtime/host/hostAddress.ts"

const pipe = (state: string): string => hostAddress(state, "win32").path

it.each(["linux", "darwin"] as const)("is a file in the state directory on %s", (platform) =>
  expect(hostAddress("/home/ada/state", platform)).toEqual({
    path: "/home/ada/state/run/host.sock",
    isFile: true
  })
)

it("is a pipe on Windows, whose name tells nothing of the directory", () => {
  expect(hostAddress("C:\\Users\\Ada\\AppData\\Local\\hooktape", "win32")).toEqual({
    path: expect.stringMatching(/^\\\\\.\\pipe\\hooktape-[0-9a-f]{32}$/),
    isFile: false
  })
})

it("is the same pipe however the directory is spelled, and another one for another directory", () => {
  const state = pipe("C:\\Users\\Ada\\hooktape")
  for (const spelled of [
    "c:\\users\\ada\\HookTape",
    "C:/Users/Ada/hooktape",
    "C:\\Users\\Ada\\x\\..\\hooktape\\"
  ])
    expect(pipe(spelled)).toBe(state)
  expect(pipe("C:\\Users\\Bob\\hooktape")).not.toBe(state)
  expect(pipe("D:\\Users\\Ada\\hooktape")).not.toBe(state)
})
