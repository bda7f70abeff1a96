/** What is started on another machine, or in a container. */
import type { Call } from "./Call.ts"
import type { containedIn } from "./container.ts"
import type { Argument } from "./expand.ts"
import { givenTo } from "./input.ts"
import type { Verdict } from "./rule.ts"
import { passOver, type Word } from "./script.ts"
import { carriesSecret, followSourced } from "./secretSources.ts"
import { withSet } from "./settingsOfStage.ts"
import { copyOf, keepThing, type ShellState, setSecret } from "./shellState.ts"
import { assign, movedTo } from "./texts.ts"
import { unwrap } from "./unwrap.ts"
import { deepestText, type Walker } from "./Walker.ts"

/** A shell on another machine: without a command it reads what it is given, and so does a command that reads at all. */
export const walkRemote = (text: string, call: Call, walker: Walker): Verdict | undefined => {
  const { redirects, state, upstream } = call
  const piped = [...upstream, ...(givenTo(redirects) ?? [])]
  const command = text !== "" || piped.length === 0 ? text : "sh"
  return command === ""
    ? undefined
    : walker.text(command, state, { remote: true, cwd: undefined }, undefined, piped)
}

export const walkContained = (
  {
    folder,
    isApart,
    isNew,
    mounts,
    named,
    ownsData,
    set,
    sourced,
    started,
    words
  }: NonNullable<ReturnType<typeof containedIn>>,
  { redirects, state, upstream }: Call,
  walker: Walker
): Verdict | undefined => {
  if (state.depth >= deepestText) return passOver(state.budget)
  if (started !== undefined) keepThing(state, state.containers, started.key, started.container)
  const container = { isApart: isApart === true, isNew, mounts, ownsData: ownsData === true }
  for (const given of [words, named]) {
    const command = unwrap(
      given.map((arg) => ({ ...arg, word: readHere(arg.word, state) })),
      state.budget
    )
    if (command === undefined) continue
    const inside = copyOf(state, { depth: state.depth + 1, remote: true, container, cwd: folder })
    setSecret(inside, brought)
    followSet(set, sourced, state, inside)
    const found = walker.contained({
      ...command,
      state: withSet(command.set ?? [], movedTo(command.folders, inside)),
      redirects: [],
      // What is piped or redirected into the engine the command in there reads.
      upstream: [...upstream, ...(givenTo(redirects) ?? [])]
    })
    if (found) return found
  }
  return undefined
}

/** Stands, in a word that goes into a container, for a secret that this shell put into it. */
const brought = "<"

/** `docker run img curl -d "$(cat .env)"`: it is this shell that reads it. */
const readHere = (word: Word, state: ShellState): Word =>
  word.map((part) =>
    part.kind === "output" && carriesSecret([part], state)
      ? { kind: "variable", name: brought, quoted: true }
      : part
  )

/** `-e NAME=value` and `--env-file .env`: a secret that goes in is one in there too. */
const followSet = (
  set: readonly Argument[],
  sourced: readonly Argument[],
  state: ShellState,
  inside: ShellState
): void => {
  assign(set, inside)
  for (const { values, word } of set)
    if (carriesSecret(word, state)) setSecret(inside, (values[0] ?? "").replace(/=.*$/s, ""))
  for (const file of sourced) followSourced([file], state, inside)
}
