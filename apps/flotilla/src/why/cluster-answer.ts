/** The answer for one cluster: whether the placement has chosen it, what decided that, and what would change it. */
import { conditionOf, type Binding, type ClusterDecision, type PlacementType } from '@flotilla/api';
import type { Requirement, ScorePart, Support, Verdict } from '@flotilla/scheduler';
import { stateOf } from '../placement-view/cluster-state.ts';
import { reasonOf, remedyFor } from './rejection-text.ts';

export interface ClusterAnswer {
  readonly cluster: string;
  /** `next`: the scheduler would choose it now, but the hub has not done so. */
  readonly chosen: 'yes' | 'next' | 'no';
  /** The plugin that decided, or the type of the placement. */
  readonly decidedBy: string;
  readonly reason: string;
  /** What would have to change for the opposite; empty if nothing is known. */
  readonly change: string;
  /** Other rules that reject the cluster, too. */
  readonly also: readonly { readonly plugin: string; readonly reason: string; readonly change: string }[];
  /** The hub's own words, where they differ. */
  readonly recorded?: string;
  /** How far the resources are on a chosen cluster, and why no further. */
  readonly state?: string;
  readonly message?: string;
  readonly verdict: Verdict;
}

export interface AskedPolicy {
  readonly placementType: PlacementType;
  /** Affinity score of the chosen cluster with the lowest one; undefined if none is chosen. */
  readonly lowestScore?: number | undefined;
}

/** What is known about a cluster beside the verdict. */
export interface ClusterRecord {
  /** Of the current policy snapshot, if there is one. */
  readonly binding: Readonly<Binding> | undefined;
  /** In the status of the policy snapshot. */
  readonly decision: ClusterDecision | undefined;
}

export function answerOn(verdict: Verdict, policy: AskedPolicy, { binding, decision }: ClusterRecord): ClusterAnswer {
  const { cluster, outcome, rejection, alsoRejectedBy = [], place } = verdict;
  const isChosen = outcome === 'Kept';
  const also = alsoRejectedBy.map((one) => ({
    plugin: one.plugin,
    reason: reasonOf(one),
    change: remedyFor(one, cluster, place),
  }));
  const common = { cluster, also, verdict, ...stateIn(binding), ...recordedIn(decision, outcome) };
  switch (outcome) {
    case 'Kept':
    case 'Picked': {
      const chosen = isChosen ? 'yes' : 'next';
      const choice = choiceOf(verdict, policy, binding);
      if (rejection === undefined) return { ...common, chosen, ...choice, change: '' };
      const today = `${rejection.plugin} rejects it today: ${reasonOf(rejection)}`;
      const change = 'it stays until the policy changes or an eviction removes it';
      return { ...common, chosen, ...choice, reason: `${choice.reason}; ${today}`, change };
    }
    case 'Rejected':
      if (rejection === undefined) break;
      return {
        ...common,
        chosen: 'no',
        decidedBy: rejection.plugin,
        reason: reasonOf(rejection),
        change: remedyFor(rejection, cluster, place),
      };
    case 'Outscored':
      return {
        ...common,
        chosen: 'no',
        decidedBy: policy.placementType,
        reason: `${scoreText(verdict.score)}${partsText(verdict.support)}; ${rankText(verdict, policy)}`,
        change: place === undefined ? 'raise its score' : `raise numberOfClusters to ${place}, or its score`,
      };
    case 'Absent':
      break;
  }
  const change = `join a cluster of this name, or remove it from spec.policy.clusterNames`;
  return { ...common, chosen: 'no', decidedBy: policy.placementType, reason: 'there is no such MemberCluster', change };
}

/** Why a cluster is chosen. */
function choiceOf(
  { score, support, place }: Verdict,
  { placementType }: AskedPolicy,
  binding: Readonly<Binding> | undefined,
): Pick<ClusterAnswer, 'decidedBy' | 'reason'> {
  if (placementType === 'PickFixed') return { decidedBy: placementType, reason: 'named in spec.policy.clusterNames' };
  const match = matchText(support);
  if (placementType === 'PickAll') {
    return match === ''
      ? { decidedBy: placementType, reason: 'no rule rejects it' }
      : { decidedBy: affinity, reason: match };
  }
  const { clusterScore } = binding?.spec.clusterDecision ?? {};
  const recorded = clusterScore && {
    affinity: clusterScore.affinityScore ?? 0,
    spread: clusterScore.priorityScore ?? 0,
  };
  const rank = place === undefined ? '' : `choice ${place}, `;
  const reason = `${rank}${scoreText(recorded ?? score)}${partsText(support)}`;
  const hasParts = (support?.scores.length ?? 0) > 0;
  return {
    decidedBy: hasParts || match !== '' ? affinity : placementType,
    reason: match === '' ? reason : `${match}; ${reason}`,
  };
}

const affinity = 'ClusterAffinity';

function matchText(support: Support | undefined): string {
  if (support?.match === undefined) return '';
  const { term, met } = support.match;
  return `required term ${term} matches${met.length === 0 ? '' : `: ${met.map(requirementText).join(', ')}`}`;
}

function scoreText(score: Verdict['score']): string {
  return score === undefined ? 'no score' : `affinity score ${score.affinity}, topology spread score ${score.spread}`;
}

/** Why the others come first. */
function rankText({ score }: Verdict, { lowestScore }: AskedPolicy): string {
  if (score === undefined || lowestScore === undefined) return 'others rank higher';
  if (score.affinity > lowestScore)
    return `chosen clusters stay, although the lowest has affinity score ${lowestScore}`;
  return `the lowest chosen has affinity score ${lowestScore}${score.affinity === lowestScore ? ': names decide' : ''}`;
}

function partsText(support: Support | undefined): string {
  const parts = support?.scores ?? [];
  return parts.length === 0 ? '' : ` (${parts.map(partText).join('; ')})`;
}

function partText(part: ScorePart): string {
  if ('plugin' in part) return `${part.plugin} adds ${part.score}`;
  const requirements = part.requirements.map(requirementText).join(', ');
  return `preferred term ${part.term} adds ${part.score}${requirements === '' ? '' : ` for ${requirements}`}`;
}

/** `region in (east,west)`, with the cluster's value where the requirement does not name it alone. */
function requirementText({ requirement, value }: Requirement): string {
  return value === undefined || requirement.endsWith(`=${value}`) ? requirement : `${requirement} (${value})`;
}

function stateIn(binding: Readonly<Binding> | undefined): Pick<ClusterAnswer, 'state' | 'message'> {
  if (binding === undefined) return {};
  const conditions = binding.status?.conditions ?? [];
  const isStarted = conditionOf(conditions, 'RolloutStarted') !== undefined;
  return isStarted ? stateOf(conditions) : { state: binding.spec.state, message: '' };
}

/** The hub may know more: plugins, other timeouts. Or it has not decided yet. */
function recordedIn(
  decision: ClusterDecision | undefined,
  outcome: Verdict['outcome'],
): Pick<ClusterAnswer, 'recorded'> {
  if (decision === undefined) return {};
  const isRejected = !decision.selected && decision.reason.startsWith('ClusterUnschedulable');
  // The skew was another before the last cluster was chosen.
  const isSpread = decision.reason.includes('topology spread constraint');
  const isSame = decision.selected === (outcome === 'Kept') && !(isRejected && !isSpread && outcome === 'Outscored');
  return isSame ? {} : { recorded: decision.reason };
}
