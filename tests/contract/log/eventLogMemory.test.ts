/** The log in memory keeps the contract. */
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { eventLogContract } from "./eventLog.ts"

eventLogContract("memory", () => layerMemory())
