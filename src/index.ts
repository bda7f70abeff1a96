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
  DeliveredDefinition,
  ForegroundDefinition,
  Hook,
  HookDefinition,
  When
} from "./hooks/defineHook.ts"
export { defineHook } from "./hooks/defineHook.ts"
export type {
  EffectOf,
  HookContext,
  HookResult,
  WhenContext,
  WithChain,
  WithMetadata
} from "./hooks/HookContext.ts"
export type {
  Cooldown,
  Delivery,
  Duration,
  FailurePolicy,
  LimitScope,
  LongDuration,
  RateLimit,
  Retry,
  WhenFull
} from "./hooks/hookOptions.ts"
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
