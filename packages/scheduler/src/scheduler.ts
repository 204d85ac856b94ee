import type { Binding, ClusterDecision, MemberCluster, PlacementPolicy } from '@flotilla/api';
import { clearedBindings } from './binding-changes.ts';
import { classifyBindings } from './classified-bindings.ts';
import { ClusterTable, type ClusterView } from './cluster-view.ts';
import { CompiledPolicy } from './compiled-policy.ts';
import { withPrevious } from './decisions.ts';
import { defaultTimeouts, ineligibility, ineligibleFrom, type EligibilityTimeouts } from './eligibility.ts';
import type { SchedulingOutcome } from './outcome.ts';
import { pickAll } from './pick-all.ts';
import { pickFixed } from './pick-fixed.ts';
import { pickN } from './pick-n.ts';
import type { SchedulerPlugin } from './plugin.ts';
import type { Result, Scheduling } from './scheduling.ts';

export interface SchedulerOptions {
  /** Run after our own rules, in this order. */
  readonly plugins?: readonly SchedulerPlugin[];
  readonly timeouts?: EligibilityTimeouts;
}

export interface SchedulingRequest {
  /** Name of the latest policy snapshot. */
  readonly policySnapshotName: string;
  /** Its policy. Absent means PickAll. */
  readonly policy: Readonly<PlacementPolicy> | undefined;
  /** For PickN, from its annotation; undefined if that is missing or malformed. */
  readonly numberOfClusters?: number | undefined;
  /** Of a namespaced placement. */
  readonly namespace?: string | undefined;
  /** All clusters, in any state and any order. To change an object, replace it: it is prepared once. */
  readonly clusters: readonly Readonly<MemberCluster>[];
  /** All bindings of the placement, in any order. */
  readonly bindings: readonly Readonly<Binding>[];
  /** The decisions in the status of the snapshot. */
  readonly previous?: readonly ClusterDecision[] | undefined;
  /** If present, other clusters are not chosen, and lose their bindings unless they are leaving. */
  readonly candidates?: ReadonlySet<string> | undefined;
  /** Whether clusters beside the candidates keep the bindings that they have. Default: false. */
  readonly keepsOthers?: boolean | undefined;
  readonly now: Date;
}

const pickEveryCluster: PlacementPolicy = { placementType: 'PickAll' };

/** Decides which clusters placements choose. The same request has the same outcome; what it keeps only saves time. */
export class Scheduler {
  readonly #plugins: readonly SchedulerPlugin[];
  readonly #timeouts: EligibilityTimeouts;
  readonly #clusters = new ClusterTable();
  readonly #policies = new WeakMap<PlacementPolicy, CompiledPolicy>();

  constructor({ plugins = [], timeouts = defaultTimeouts }: SchedulerOptions = {}) {
    this.#plugins = plugins;
    this.#timeouts = timeouts;
  }

  /** Never throws: what makes no sense in a policy is reported in the outcome. */
  schedule(request: SchedulingRequest): SchedulingOutcome {
    const { policySnapshotName, policy = pickEveryCluster, namespace, candidates, now, previous = [] } = request;
    const view = this.#clusters.view(request.clusters);
    const bindings = classifyBindings(
      request.bindings,
      view,
      policySnapshotName,
      request.keepsOthers === true ? undefined : candidates,
    );
    const result = decide({
      policySnapshotName,
      policy: this.#compiled(policy),
      numberOfClusters: wholeNumber(request.numberOfClusters),
      view,
      bindings,
      context: { namespace, candidates, timeouts: this.#timeouts, plugins: this.#plugins, now },
      previous,
    });
    return {
      ...result,
      changes: [...clearedBindings(bindings), ...result.changes],
      decisions: withPrevious(result.decisions, previous),
      changesAt: () => firstIneligibleMoment(view, this.#timeouts, now.getTime()),
    };
  }

  #compiled(policy: PlacementPolicy): CompiledPolicy {
    const known = this.#policies.get(policy);
    if (known !== undefined) return known;
    const compiled = new CompiledPolicy(policy);
    this.#policies.set(policy, compiled);
    return compiled;
  }
}

function decide(scheduling: Scheduling): Result {
  switch (scheduling.policy.policy.placementType) {
    case 'PickN':
      return pickN(scheduling);
    case 'PickFixed':
      return pickFixed(scheduling);
    case 'PickAll':
      return pickAll(scheduling);
  }
}

function wholeNumber(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function firstIneligibleMoment(view: ClusterView, timeouts: EligibilityTimeouts, now: number): number | undefined {
  let first = Infinity;
  for (const { health } of view.rows) {
    if (ineligibility(health, timeouts, now) === undefined) first = Math.min(first, ineligibleFrom(health, timeouts));
  }
  return Number.isFinite(first) ? first : undefined;
}
