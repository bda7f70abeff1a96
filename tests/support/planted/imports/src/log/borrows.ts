/** Planted: shipped code that needs a test helper. */
import { helper } from "../../tests/helper.ts"

export const borrowed = helper
