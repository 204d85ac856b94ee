export { ClusterSet, eligibleSets } from './cluster-set.ts';
export { groupClusters, type ClusterGroup, type Grouping } from './decision-groups.ts';
export type { ScoreLookup } from './expressions/managed-cluster-library.ts';
export type { PredicateFailure } from './filters/predicates.ts';
export type {
  Evidence,
  FilterResult,
  PlacementOutcome,
  PrioritizerResult,
  Problem,
  ScorePart,
  Verdict,
} from './outcome.ts';
export { misconfiguredCondition, satisfiedCondition, type PlacementFindings } from './placement-conditions.ts';
export type { DecisionCounts } from './prioritizers/prioritizer.ts';
export type { Measure } from './schedule.ts';
export { PlacementScheduler, type PlacementRequest } from './scheduler.ts';
export { settledScores } from './settled-scores.ts';
export type { Candidate } from './spread.ts';
