/** Hooks that git is told to start from outside the project. */
import { textsOf } from "../Call.ts"
import { within } from "../folders.ts"
import { absolute } from "../paths.ts"
import type { Verdict } from "../rule.ts"
import { unknown } from "../script.ts"
import { madeAround } from "../temporaries.ts"
import type { Git } from "./gitCall.ts"

export const liesOutside = (value: string, { call }: Git): boolean =>
  /^[~/]/.test(value) && !within(absolute(value, call.state) ?? value, call.state.place.project)

/** Folders in which there is nothing: whoever names one wants no hooks at all. */
const nothing = /^(?:\/dev\/null|\/var\/empty)(?:\/|$)/

/** A directory that `mktemp` made, and nothing was written to since. */
const isNew = (path: string, { call }: Git): boolean => {
  const folder = madeAround(path, call.state)
  const put = [...call.state.written.keys(), ...call.state.copied.keys()]
  return folder !== undefined && !put.some((file) => within(file, folder))
}

/** For this one command; for all that follow `git config` sets them. */
export const startsHooks = (git: Git): Verdict | undefined => {
  const { call, settings, texts, verb } = git
  const cloned = verb === "clone" ? texts.map((text) => text.replace(/^--config=/, "")) : []
  const isHidden = textsOf(call.args).some((text) => text.startsWith("--config-env"))
  const leads = [...settings, ...cloned].some((setting) => {
    const [, given] = /^core\.hookspath=(.+)$/is.exec(setting) ?? []
    if (given === undefined) return false
    if (given === unknown) return isHidden
    const path = given.replace(/^~(?=\/)/, call.state.place.home)
    const place = absolute(path, call.state) ?? path
    return !nothing.test(place) && !isNew(place, git) && liesOutside(path, git)
  })
  return leads
    ? { rule: "credentials", reason: "`git` is told to start hooks from outside the project." }
    : undefined
}
