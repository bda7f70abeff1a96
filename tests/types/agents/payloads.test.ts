/** The types of the native payloads, made from the same descriptions as their check. */
import { expectTypeOf, it } from "vitest"
import type { ClaudeCodePayload } from "../../../src/agents/claude-code/payloads.ts"
import type { ClinePayload } from "../../../src/agents/cline/payloads.ts"
import type { CodexPayload } from "../../../src/agents/codex/payloads.ts"
import type { CopilotPayload } from "../../../src/agents/copilot/payloads.ts"
import type { CursorPayload } from "../../../src/agents/cursor/payloads.ts"
import type { DroidPayload } from "../../../src/agents/droid/payloads.ts"
import type { GeminiCliPayload } from "../../../src/agents/gemini-cli/payloads.ts"
import type { KiroPayload } from "../../../src/agents/kiro/payloads.ts"
import type { OpencodePayload } from "../../../src/agents/opencode/payloads.ts"
import type { QwenCodePayload } from "../../../src/agents/qwen-code/payloads.ts"
import type { VscodePayload } from "../../../src/agents/vscode/payloads.ts"
import type { WindsurfPayload } from "../../../src/agents/windsurf/payloads.ts"

it("a native payload has the fields of its event", () => {
  type Call = ClaudeCodePayload<"PreToolUse">
  expectTypeOf<Call["tool_name"]>().toEqualTypeOf<string>()
  expectTypeOf<Call["cwd"]>().toEqualTypeOf<string | undefined>()
  // A word of an open set completes in an editor and still takes what is new.
  expectTypeOf<"startup">().toExtend<ClaudeCodePayload<"SessionStart">["source"]>()
  expectTypeOf<string>().toExtend<ClaudeCodePayload<"SessionStart">["source"]>()
  expectTypeOf<CodexPayload<"Stop">["last_assistant_message"]>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<GeminiCliPayload<"AfterModel">["llm_response"]["text"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<OpencodePayload<"Stop">["turn_id"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<DroidPayload<"Stop">["stopHookActive"]>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<VscodePayload<"Stop">["stop_hook_active"]>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<KiroPayload<"Stop">["assistant_response"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<ClinePayload<"Stop">["turn_id"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<QwenCodePayload<"Stop">["stop_hook_active"]>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<CopilotPayload<"Stop">["stop_hook_active"]>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<CursorPayload<"stop">["loop_count"]>().toEqualTypeOf<number | undefined>()
  expectTypeOf<WindsurfPayload<"pre_run_command">["tool_info"]["command_line"]>().toEqualTypeOf<string>()
  // @ts-expect-error a prompt belongs to another event
  expectTypeOf<Call["prompt"]>()
  // @ts-expect-error no such event
  expectTypeOf<CodexPayload<"PreToolUsage">>()
})
