/** What a hook file imports from `hooktape`. */
export type {
  Agent,
  CanonicalEvent,
  DerivedEvent,
  Dispatched,
  HookEvent,
  PassedEvent,
  Tool,
  ToolKind
} from "../events/agentEvents.ts"
export type { EventData } from "../events/eventData.ts"
export { exitCodes } from "../events/exitCodes.ts"
export type {
  BlockingFeedback,
  Diagnostic,
  DiagnosticLevel,
  ExitSignal,
  IfCannotAsk,
  Intent,
  Json,
  JsonObject,
  ModelContext,
  UserHint
} from "../events/intents.ts"
export { blockingFeedback, diagnostic, exitSignal, modelContext, userHint } from "../events/intents.ts"
export type {
  BackgroundDefinition,
  Cooldown,
  DeliveredDefinition,
  Delivery,
  Duration,
  EffectOf,
  FailurePolicy,
  ForegroundDefinition,
  Hook,
  HookContext,
  HookDefinition,
  HookResult,
  LimitScope,
  LongDuration,
  RateLimit,
  Retry,
  When,
  WhenContext,
  WhenFull,
  WithChain,
  WithMetadata
} from "./hooks/defineHook.ts"
export { defineHook } from "./hooks/defineHook.ts"
export type {
  Clock,
  FileEntry,
  Files,
  FileText,
  LogFact,
  LogFacts,
  LogQuery,
  NewNote,
  NoteFound,
  Notes,
  Ran,
  Random,
  RunOptions,
  Services,
  Transcript,
  TranscriptEntry
} from "./hooks/Services.ts"
export { type Script, type Scripted, scriptedServices } from "./hooks/scripted.ts"
export { UnrecordedCall } from "./hooks/UnrecordedCall.ts"
