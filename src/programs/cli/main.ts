#!/usr/bin/env node
/** `hooktape`: what is known without a command is said at once, the rest is loaded. */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { layoutHint } from "../../state/layout.ts"
import { stateDirectory } from "../../state/state.ts"
import { answerOf } from "./answerOf.ts"
import { printAndLeave } from "./render/print.ts"
import { drawingOn } from "./render/stream.ts"
import { runCompiled } from "./runCompiled.ts"

const words = process.argv.slice(2)
const whole = join(dirname(fileURLToPath(import.meta.url)), "command.cjs")

void answerOf(words, () => drawingOn(process.stdout, process.env)).then((answer) =>
  answer === undefined ? runCompiled(whole, words) : printAndLeave(answer, layoutHint(stateDirectory()))
)
