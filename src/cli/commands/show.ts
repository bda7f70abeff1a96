/** `hooktape show`: one invocation, explained. */
import * as Effect from "effect/Effect"
import { backgroundOf, describeInvocation } from "../describe.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { drawInvocation } from "../render/invocation.ts"
import { Screen } from "../Screen.ts"

export const show = ({ ref, json }: { readonly ref: string; readonly json: boolean }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const facts = yield* logbook.invocation(yield* logbook.resolve(ref))
    const jobs = yield* logbook.jobsNamed(backgroundOf(facts).map(({ job }) => job))
    const described = describeInvocation(facts, jobs, yield* logbook.answeredBy(facts))
    yield* screen.out(json ? `${JSON.stringify(described, null, 2)}\n` : drawInvocation(described, screen))
  }).pipe(withLogbook)
