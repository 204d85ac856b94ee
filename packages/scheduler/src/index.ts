export type { Choice } from './binding-changes.ts';
export type { Score } from './decisions.ts';
export {
  defaultTimeouts,
  healthOf,
  ineligibility,
  ineligibilityText,
  type AgentHealth,
  type EligibilityTimeouts,
  type Ineligibility,
} from './eligibility.ts';
export type {
  BindingChange,
  CreatedBinding,
  PatchedBinding,
  ReleasedBinding,
  SchedulingOutcome,
  UnscheduledBinding,
} from './outcome.ts';
export { PluginModuleError, pluginsOf } from './plugin-module.ts';
export type { ClusterFacts, PlacementFacts, SchedulerPlugin } from './plugin.ts';
export type { Evidence, Rejection, Requirement, ScorePart, Support, TermFailure } from './rules/rule.ts';
export { Scheduler, type SchedulerOptions, type SchedulingRequest } from './scheduler.ts';
export type { Verdict, Verdicts } from './verdicts.ts';
