/** Services that tell when they were asked for what nobody has any more, whatever the handler makes of that. */
import type { Services } from "../../hooks/Services.ts"

type Told = (what: string) => void

const isUnrecorded = (error: unknown): error is Error =>
  error instanceof Error && error.name === "UnrecordedCall"

const watchedCall =
  (call: (...given: readonly unknown[]) => unknown, tell: Told) =>
  (...given: readonly unknown[]): unknown => {
    const heard = (error: unknown): never => {
      if (isUnrecorded(error)) tell(error.message)
      throw error
    }
    try {
      const answer = call(...given)
      return answer instanceof Promise ? answer.catch(heard) : answer
    } catch (error) {
      return heard(error)
    }
  }

const watchedPart = (part: object, tell: Told): object =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      typeof value === "function" ? watchedCall(value.bind(part), tell) : value
    ])
  )

/** `at`: what the clock says, where the answer was not recorded. */
export const watchServices = (services: Services, tell: Told, at: number | undefined): Services => {
  const parts = Object.entries(services).map(([name, part]) => [
    name,
    typeof part === "function" ? watchedCall(part, tell) : watchedPart(part as object, tell)
  ])
  const watched = Object.fromEntries(parts) as Services
  return at === undefined ? watched : { ...watched, clock: { now: () => at } }
}
