#!/usr/bin/env node
/** `hooktape`: what is known without a command is said at once, the rest is loaded. */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { runCompiled } from "../../runtime/builds/runCompiled.ts"
import { layoutHint } from "../../state/layout.ts"
import { stateDirectory } from "../../state/state.ts"
import { answerOf } from "./answerOf.ts"
import { commandPart } from "./commandPart.ts"
import { printAndLeave } from "./render/print.ts"
import { drawingOn } from "./render/stream.ts"

const words = process.argv.slice(2)
const whole = join(dirname(fileURLToPath(import.meta.url)), "command.cjs")

void answerOf(words, () => drawingOn(process.stdout, process.env)).then((answer) =>
  answer === undefined
    ? runCompiled(whole, { part: commandPart(words) })
    : printAndLeave(answer, layoutHint(stateDirectory()))
)
