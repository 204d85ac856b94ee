import type { PlacementPolicy } from '@flotilla/api';
import type { EligibilityTimeouts } from './eligibility.ts';
import { PluginFilter, PluginScore, type PlacementFacts, type SchedulerPlugin } from './plugin.ts';
import { Candidates } from './rules/candidates.ts';
import { ClusterEligibility } from './rules/cluster-eligibility.ts';
import { NamespaceAffinity } from './rules/namespace-affinity.ts';
import { PreferredAffinity } from './rules/preferred-affinity.ts';
import { RequiredAffinity } from './rules/required-affinity.ts';
import type { Rule } from './rules/rule.ts';
import { maxConstraints } from './rules/size-limits.ts';
import { TaintToleration } from './rules/taints.ts';
import { compileConstraints, type SpreadConstraint } from './spread/constraint.ts';

/** What one decision needs beside the policy. */
export interface RuleContext {
  readonly namespace: string | undefined;
  readonly candidates: ReadonlySet<string> | undefined;
  readonly timeouts: EligibilityTimeouts;
  readonly plugins: readonly SchedulerPlugin[];
  readonly now: Date;
}

/** A policy, prepared for many decisions. */
export class CompiledPolicy {
  readonly policy: PlacementPolicy;
  readonly preferred: PreferredAffinity | undefined;
  readonly constraints: readonly SpreadConstraint[];
  /** What makes parts of the policy senseless, as sentences. */
  readonly problems: readonly string[];
  readonly required: RequiredAffinity | undefined;
  readonly #taints: TaintToleration;

  constructor(policy: PlacementPolicy) {
    const isRanked = policy.placementType === 'PickN';
    this.policy = policy;
    this.required = RequiredAffinity.of(policy);
    this.#taints = new TaintToleration(policy);
    // PickAll takes every cluster that fits: there is nothing to prefer or to spread.
    this.preferred = isRanked ? PreferredAffinity.of(policy) : undefined;
    this.constraints = isRanked ? compileConstraints(policy.topologySpreadConstraints ?? []) : [];
    this.problems = [
      ...(this.required?.problems ?? []),
      ...(this.preferred?.problems ?? []),
      ...((policy.topologySpreadConstraints ?? []).length > maxConstraints
        ? [`topology spread constraints after the first ${maxConstraints} are ignored`]
        : []),
    ];
  }

  /** In the order in which a cluster must pass them: the first that rejects it gives the reason. */
  rules({ namespace, candidates, timeouts, plugins, now }: RuleContext): {
    readonly rules: readonly Rule[];
    readonly scores: readonly PluginScore[];
  } {
    const facts: PlacementFacts = { namespace, policy: this.policy, now };
    const isRanked = this.policy.placementType === 'PickN';
    const scores = isRanked
      ? plugins.flatMap(({ name, score }) => (score ? [new PluginScore(name, score, facts)] : []))
      : [];
    const rules: (Rule | undefined)[] = [
      candidates && new Candidates(candidates),
      this.required,
      new ClusterEligibility(timeouts, now.getTime()),
      namespace === undefined ? undefined : new NamespaceAffinity(namespace),
      this.#taints,
      ...plugins.map(({ name, filter }) => filter && new PluginFilter(name, filter, facts)),
      ...scores,
    ];
    return { rules: rules.filter((rule) => rule !== undefined), scores };
  }
}
