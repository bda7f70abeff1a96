/** Planted: a program that imports another. */
import { host } from "../host/host.ts"

export const asked = host
