/** The test files of a result in which something failed, a line each. */
import { readFileSync } from "node:fs"
import { argv, stdout } from "node:process"

const { testResults } = JSON.parse(readFileSync(argv[2], "utf8"))
for (const { name, status } of testResults) if (status === "failed") stdout.write(`${name}\n`)
