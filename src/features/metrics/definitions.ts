/** Every metric with its exact definition. What is not here is not shown. */
import type { Definition } from "./Measure.ts"

export const definitions = [
  {
    id: "active-time",
    group: "sessions",
    title: "Active time",
    unit: "ms",
    definition:
      "Sum of the pauses between two things that were seen of a session, the main agent and its subagents together; of a pause longer than 10 minutes, 10 minutes count.",
    counts: "sessions"
  },
  {
    id: "agent-share",
    group: "sessions",
    title: "Agent's share of the time",
    unit: "share",
    definition:
      "Active time from a prompt to its stop, less the time a tool waited for leave, ÷ active time. What is neither is the human's.",
    counts: "sessions"
  },
  {
    id: "interventions",
    group: "sessions",
    title: "Interventions an hour",
    unit: "per-hour",
    definition:
      "Prompts of a person after the first of a session, denials (by a person, a hook or a rule) and interrupts ÷ hours of the agent's turns. Fewer is more autonomy; what agents tell themselves is no prompt.",
    counts: "interventions"
  },
  {
    id: "prompts",
    group: "sessions",
    title: "Prompts",
    unit: "count",
    definition: "Prompts that a person wrote to the main agent.",
    counts: "sessions"
  },
  {
    id: "tool-calls",
    group: "sessions",
    title: "Tool calls",
    unit: "count",
    definition: "Tool calls of the agent and its subagents, each once, whoever told of it.",
    counts: "sessions"
  },
  {
    id: "compactions",
    group: "sessions",
    title: "Compactions an hour",
    unit: "per-hour",
    definition: "Times the agent shortened what it has before it ÷ hours of active time.",
    counts: "compactions"
  },
  {
    id: "first-pass",
    group: "quality",
    title: "First-pass rate",
    unit: "share",
    definition:
      "Of the runs of tests, types, lint or a build that were the first of their kind after an edit, the share that passed. Runs whose outcome nobody tells are left out and counted.",
    counts: "first runs after an edit"
  },
  {
    id: "time-to-green",
    group: "quality",
    title: "Time to green",
    unit: "ms",
    definition:
      "Active time from the first red run of a check to the first green one of the same check or of one that covers it: median by Kaplan–Meier, so that what is still red counts as far as it goes.",
    counts: "checks that were red"
  },
  {
    id: "checkpoint-quality",
    group: "quality",
    title: "Quality at checkpoints",
    unit: "points",
    definition:
      "Median of the quality at checkpoints that had evidence; those without any are left out and counted.",
    counts: "checkpoints with evidence"
  },
  {
    id: "quality-trend",
    group: "quality",
    title: "Trend of the first-pass rate",
    unit: "per-week",
    definition:
      "Theil–Sen slope of the weekly first-pass rate, with Sen's interval: shown from 8 weeks on, each with 20 runs or more.",
    counts: "weeks"
  },
  {
    id: "rework",
    group: "work",
    title: "Rework",
    unit: "count",
    definition:
      "Edits of a file that was edited before in the turn, with a red check in between, for each turn that edits a file.",
    counts: "turns that edit"
  },
  {
    id: "churn",
    group: "work",
    title: "Churn",
    unit: "share",
    definition:
      "Lines that a session put into a file and took out again ÷ lines it put in. Blank lines and lone brackets do not count; edits by shell commands are not seen.",
    counts: "lines put in"
  },
  {
    id: "mix",
    group: "work",
    title: "Reading, of all calls",
    unit: "share",
    definition: "Tool calls that only look ÷ all; beside it those that edit, those that check, and the rest.",
    counts: "tool calls"
  },
  {
    id: "edit-to-check",
    group: "work",
    title: "Edit to check",
    unit: "ms",
    definition: "Median time from the last edit to the first check after it.",
    counts: "first runs after an edit"
  },
  {
    id: "commits",
    group: "work",
    title: "Commits",
    unit: "count",
    definition:
      "Calls of git commit that succeeded, each commit once. No measure of worth: commits an hour are no velocity.",
    counts: "sessions"
  },
  {
    id: "reverted",
    group: "work",
    title: "Commits reverted",
    unit: "share",
    definition:
      "Of the commits that sessions made and git still knows, those that a later commit reverts within 14 days, told by its message.",
    counts: "commits found in git"
  },
  {
    id: "hours",
    group: "work",
    title: "Busiest hour",
    unit: "count",
    definition: "Active time by hour of the day, in the time zone of this machine now.",
    counts: "sessions"
  },
  {
    id: "hook-wait",
    group: "hooks",
    title: "Wait for a call",
    unit: "ms",
    definition:
      "Median of the time an agent waited for all hooks of one event, as far as hooktape saw it. Hooks of others are not in it.",
    counts: "calls that ended"
  },
  {
    id: "hook-share",
    group: "hooks",
    title: "Hooks' share of the agent's time",
    unit: "share",
    definition:
      "Waits for calls within a turn ÷ active time of the turn. A call's wait counts once, however many hooks it has.",
    counts: "calls within turns"
  },
  {
    id: "hook-times",
    group: "hooks",
    title: "Time of a hook, p95",
    unit: "ms",
    definition:
      "95th percentile of what hooks took, beside it for each of them; those that ran out of time are counted apart.",
    counts: "runs"
  },
  {
    id: "hook-timeouts",
    group: "hooks",
    title: "Hooks out of time",
    unit: "share",
    definition: "Runs that ran out of time ÷ all runs.",
    counts: "runs"
  },
  {
    id: "false-blocks",
    group: "hooks",
    title: "Blocks that were lifted",
    unit: "share",
    definition:
      "Blocked tool calls that were sent again unchanged and let through later in the session ÷ blocked tool calls. A block that nobody contested may be wrong as well.",
    counts: "blocked tool calls"
  },
  {
    id: "errors-misuse",
    group: "errors",
    title: "Misuse of tools",
    unit: "share",
    definition:
      "Calls that the agent's own tool refused (bad input, text not found, no such tool) ÷ calls that ended.",
    counts: "calls that ended"
  },
  {
    id: "errors-environment",
    group: "errors",
    title: "Environment",
    unit: "share",
    definition:
      "Calls that failed for a missing program, right, file or network, or for time ÷ calls that ended.",
    counts: "calls that ended"
  },
  {
    id: "errors-check",
    group: "errors",
    title: "Red checks",
    unit: "share",
    definition:
      "Calls whose tests, types, lint or build were red ÷ calls that ended. Expected while work is under way.",
    counts: "calls that ended"
  },
  {
    id: "errors-denied",
    group: "errors",
    title: "Denied",
    unit: "share",
    definition: "Calls that a hook, a rule or a person did not let run ÷ calls that ended.",
    counts: "calls that ended"
  },
  {
    id: "errors-other",
    group: "errors",
    title: "Other failures",
    unit: "share",
    definition:
      "Calls that failed for another reason ÷ calls that ended. A search without a match, a difference and a test for a file are answers, and no failure.",
    counts: "calls that ended"
  },
  {
    id: "tokens",
    group: "usage",
    title: "Tokens",
    unit: "tokens",
    definition: "Tokens of all messages of the model, each message once. Told by transcripts only.",
    counts: "messages of the model"
  },
  {
    id: "cost",
    group: "usage",
    title: "Cost at list price",
    unit: "usd",
    definition:
      "Tokens × the vendor's list price, from the dated table in hooktape; unknown as soon as the price of one model is. Nobody's invoice.",
    counts: "messages of the model"
  },
  {
    id: "cache-hits",
    group: "usage",
    title: "Read from cache",
    unit: "share",
    definition: "Tokens read from cache ÷ (read + written to cache + input).",
    counts: "messages of the model"
  },
  {
    id: "context-pressure",
    group: "usage",
    title: "Fullest window",
    unit: "share",
    definition:
      "The most tokens that stood before a model ÷ its window, of the models whose window is known. One that held more was used with a larger window, which is not known.",
    counts: "messages of the model"
  }
] as const satisfies readonly Definition[]

export type MetricId = (typeof definitions)[number]["id"]
