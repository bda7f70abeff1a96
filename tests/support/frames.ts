/** Frames of actors as tests compare them: what was shown with what the log replays. */
import type { ActorFrame } from "../../src/runtime/actors/ActorView.ts"

/** A step without its time and whom it is about, which those who only replay do not have. */
export type BareFrame = Pick<ActorFrame, "stream" | "fact" | "before" | "after" | "command" | "refused">

export const bareFrame = ({ after, before, command, fact, refused, stream }: BareFrame): BareFrame => ({
  stream,
  fact,
  before,
  after,
  command,
  refused
})

/** The states that one actor's frames lead through, the first among them. */
export const statesOf = (frames: readonly BareFrame[]): readonly string[] => {
  const [first] = frames
  return first === undefined
    ? []
    : [first.before, ...frames.filter(({ after, before }) => after !== before).map(({ after }) => after)]
}
