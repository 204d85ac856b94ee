/** How far and how fast an autoscaler may go towards what its metrics ask for. */
import type { Autoscaler, ScalingRules } from '../kinds.ts';

const defaultWindowMs = 300_000;
/** Kubernetes compares the metrics with the targets this often. */
export const syncPeriodMs = 15_000;
const maxRemembered = 64;

/** What an autoscaler recommended and did. */
export interface ScalingHistory {
  /** A recommendation holds until the next one. */
  readonly recommendations: readonly { readonly replicas: number; readonly until: number }[];
  /** The changes of the target's replicas; negative if it shrank. */
  readonly changes: readonly { readonly by: number; readonly at: number }[];
}

export const noHistory: ScalingHistory = { recommendations: [], changes: [] };

export interface Reasoned {
  readonly reason: string;
  readonly message: string;
}

export interface Limited {
  readonly replicas: number;
  /** Whether and why recent recommendations changed the newest. */
  readonly stabilized: Reasoned | undefined;
  readonly limit: Reasoned & { readonly isLimiting: boolean };
  readonly history: ScalingHistory;
  /** Until a limit gives way. */
  readonly waitMs: number | undefined;
}

export interface Wish {
  readonly autoscaler: Readonly<Autoscaler>;
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
}

/** Notes a change that the status shows, once. */
export function noteChange(history: ScalingHistory, { status }: Readonly<Autoscaler>): ScalingHistory {
  const at = Date.parse(status?.lastScaleTime ?? '');
  if (Number.isNaN(at) || history.changes.some((change) => change.at === at)) return history;
  const by = (status?.desiredReplicas ?? 0) - (status?.currentReplicas ?? 0);
  return { ...history, changes: [...history.changes, { by, at }].slice(-maxRemembered) };
}

export function limit(wish: Wish, before: ScalingHistory, now: number): Limited {
  const { autoscaler, current, desired } = wish;
  const { behavior } = autoscaler.spec ?? {};
  const upWindow = behavior === undefined ? 0 : (behavior.scaleUp?.stabilizationWindowSeconds ?? 0) * 1000;
  const downSeconds = behavior?.scaleDown?.stabilizationWindowSeconds;
  const downWindow = downSeconds === undefined ? defaultWindowMs : downSeconds * 1000;
  const recommendations = continued(before, current, now);
  const within = (window: number) => recommendations.filter(({ until }) => until > now - window);
  const lowest = Math.min(desired, ...within(upWindow).map(({ replicas }) => replicas));
  const highest = Math.max(desired, ...within(downWindow).map(({ replicas }) => replicas));
  const stable = behavior === undefined ? highest : Math.min(Math.max(current, lowest), highest);
  const { rate, limiting } =
    behavior === undefined ? simpleLimit(wish, stable) : behaviorLimit(wish, stable, before, now);
  const isRepeated = recommendations.at(-1)?.replicas === desired;
  const next = isRepeated ? recommendations : [...recommendations, { replicas: desired, until: now }];
  const isUp = behavior !== undefined && desired >= current;
  const waits = stable === desired ? [] : expiries(recommendations, desired, isUp ? upWindow : downWindow, now);
  if (limiting?.reason.endsWith('Limit') === true) waits.push(syncPeriodMs);
  return {
    replicas: rate,
    stabilized: stable === desired ? undefined : isUp ? lowerBefore : higherBefore,
    limit:
      limiting === undefined ? { ...withinRange, isLimiting: false } : { ...limiting, isLimiting: rate !== stable },
    history: { ...before, recommendations: next.slice(-maxRemembered) },
    waitMs: waits.length === 0 ? undefined : Math.min(...waits),
  };
}

const withinRange = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const higherBefore = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const lowerBefore = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const tooMany = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const tooFew = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const tooFast = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const tooFastDown = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

/** The first recommendation is the number of replicas at the start. The last one has held until now. */
function continued(
  { recommendations }: ScalingHistory,
  current: number,
  now: number,
): ScalingHistory['recommendations'] {
  const last = recommendations.at(-1);
  if (last === undefined) return [{ replicas: current, until: now }];
  return [...recommendations.slice(0, -1), { ...last, until: now }];
}

/** When the recommendations that differ from the newest one no longer count. */
function expiries(
  recommendations: ScalingHistory['recommendations'],
  desired: number,
  window: number,
  now: number,
): number[] {
  return recommendations
    .filter(({ replicas }) => replicas !== desired)
    .map(({ until }) => until + window - now)
    .filter((left) => left > 0);
}

interface RateLimit {
  readonly rate: number;
  readonly limiting?: Reasoned;
}

/** Without rules: at most twice as many at once, or four. */
function simpleLimit({ current, min, max }: Wish, desired: number): RateLimit {
  const fastest = Math.max(2 * current, 4);
  if (desired < min) return { rate: min, limiting: tooFew };
  if (desired > Math.min(max, fastest))
    return { rate: Math.min(max, fastest), limiting: max > fastest ? tooFast : tooMany };
  return { rate: desired };
}

function behaviorLimit(
  { autoscaler, current, min, max }: Wish,
  desired: number,
  history: ScalingHistory,
  now: number,
): RateLimit {
  const { scaleUp = {}, scaleDown = {} } = autoscaler.spec?.behavior ?? {};
  if (desired > current) {
    const fastest = Math.max(current, policyLimit(scaleUp, current, history, now, 1));
    if (desired > Math.min(max, fastest))
      return { rate: Math.min(max, fastest), limiting: max > fastest ? tooFast : tooMany };
  } else if (desired < current) {
    const fastest = Math.min(current, policyLimit(scaleDown, current, history, now, -1));
    if (desired < Math.max(min, fastest))
      return { rate: Math.max(min, fastest), limiting: min < fastest ? tooFastDown : tooFew };
  }
  return { rate: desired };
}

/** Where the policies of a direction end. Up is 1, down is -1. */
function policyLimit(
  { selectPolicy, policies = [] }: ScalingRules,
  current: number,
  { changes }: ScalingHistory,
  now: number,
  direction: 1 | -1,
): number {
  if (selectPolicy === 'Disabled') return current;
  const limits = policies.map(({ type, value = 0, periodSeconds = 0 }) => {
    const recent = changes.filter(({ at }) => at > now - periodSeconds * 1000);
    const start = current - recent.reduce((total, { by }) => total + by, 0);
    if (type === 'Pods') return start + direction * value;
    const share = start * (1 + (direction * value) / 100);
    return direction > 0 ? Math.ceil(share) : Math.trunc(share);
  });
  const isSmallest = (selectPolicy === 'Min') === direction > 0;
  return limits.length === 0 ? current : isSmallest ? Math.min(...limits) : Math.max(...limits);
}
