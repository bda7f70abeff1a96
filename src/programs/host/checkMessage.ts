/** Whether what a process of handlers said is one of the messages that it may send, with facts as the log knows them. */
import { schemaVersion } from "../../../events/schemaVersion.ts"
import { decodeFact } from "../../log/validity.ts"
import type { FromWorker } from "./messages.ts"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isText = (value: unknown): boolean => typeof value === "string"
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value)

const isFact = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["type"] === "string" &&
  decodeFact(value["type"], schemaVersion, value).known
const areFacts = (value: unknown): boolean => Array.isArray(value) && value.every(isFact)

const shapes: Readonly<Record<FromWorker["type"], (message: Readonly<Record<string, unknown>>) => boolean>> =
  {
    ready: () => true,
    facts: ({ facts }) => areFacts(facts),
    failed: ({ message }) => isText(message),
    released: ({ goodFor, facts }) => ["any", "same", "none"].includes(goodFor as string) && areFacts(facts),
    stored: ({ result }) =>
      isRecord(result) && isTextOrNone(result["note"]) && isTextOrNone(result["refusedBy"])
  }

/** Undefined where it is none of them. */
export const checkMessage = (value: unknown): FromWorker | undefined => {
  if (!isRecord(value) || typeof value["type"] !== "string" || !Object.hasOwn(shapes, value["type"]))
    return undefined
  return shapes[value["type"] as FromWorker["type"]](value) ? (value as unknown as FromWorker) : undefined
}
