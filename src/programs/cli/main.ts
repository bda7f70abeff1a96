#!/usr/bin/env node
/** `hooktape`. */
import { beneathAgent } from "../../trust/BeneathAgent.ts"
import { start } from "./start.ts"

start(beneathAgent)
