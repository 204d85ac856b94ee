/** How many replicas the metrics of an autoscaler ask for. */
import { Quantity, type JsonObject } from '@flotilla/kube';
import type { Autoscaler, MetricSource } from '../kinds.ts';
import type { AutoscalerState, ScaleTarget } from './autoscaler-state.ts';
import { milliValue } from './pod-usage.ts';
import { noResourceMetrics, replicasForResource, type Proposal, type Tolerances } from './resource-replicas.ts';
import type { StatusDraft } from './status-draft.ts';

export type Evaluation =
  | {
      readonly replicas: number;
      /** The metric that decided, as events name it. */
      readonly metric: string;
      readonly statuses: JsonObject[];
      readonly waitMs?: number;
    }
  | { readonly failure: string; readonly statuses: JsonObject[] | null };

interface Measured {
  readonly replicas: number;
  readonly metric: string;
  readonly status: JsonObject;
  readonly waitMs?: number;
}

interface Unmeasured {
  readonly reason: string;
  /** For the condition and the event of this metric. */
  readonly cause: string;
  /** For the event about all metrics. */
  readonly failure: string;
}

/** The metric that asks for the most replicas decides. If one fails, the others do not shrink the target. */
export function evaluateMetrics(draft: StatusDraft, state: AutoscalerState, target: ScaleTarget): Evaluation {
  const selectorProblem = checkSelector(draft, state, target);
  if (selectorProblem !== undefined) return { failure: selectorProblem, statuses: null };
  const { metrics = [] } = state.autoscaler.spec ?? {};
  const statuses: JsonObject[] = [];
  const failures: Unmeasured[] = [];
  const waits: number[] = [];
  let most: Measured | undefined;
  for (const metric of metrics) {
    const result = evaluateMetric(state, target, metric, draft.now);
    if ('failure' in result) {
      draft.warn(result.reason, result.cause);
      failures.push(result);
      statuses.push({ type: '' });
      continue;
    }
    statuses.push(result.status);
    if (result.waitMs !== undefined) waits.push(result.waitMs);
    if (most === undefined || result.replicas > most.replicas) most = result;
  }
  const [first] = failures;
  if (most === undefined || (first !== undefined && most.replicas < target.replicas)) {
    const { reason = '', cause = '', failure = '' } = first ?? {};
    const message = `the HPA was unable to compute the replica count: ${cause}`;
    draft.setCondition('ScalingActive', 'False', { reason, message });
    const count = `invalid metrics (${failures.length} invalid out of ${metrics.length})`;
    return { failure: `${count}, first error is: ${failure}`, statuses };
  }
  const message = `the HPA was able to successfully calculate a replica count from ${most.metric}`;
  draft.setCondition('ScalingActive', 'True', { reason: 'ValidMetricFound', message });
  const { replicas, metric } = most;
  return { replicas, metric, statuses, ...(waits.length > 0 && { waitMs: Math.min(...waits) }) };
}

function checkSelector(draft: StatusDraft, { rivals }: AutoscalerState, { selector }: ScaleTarget): string | undefined {
  if (selector === '') {
    draft.warn('SelectorRequired', 'selector is required');
    const message = "the HPA target's scale is missing a selector";
    draft.setCondition('ScalingActive', 'False', { reason: 'InvalidSelector', message });
    return 'selector is required';
  }
  if (rivals.length < 2) return undefined;
  const message = `pods by selector ${selector} are controlled by multiple HPAs: [${rivals.join(' ')}]`;
  draft.warn('AmbiguousSelector', message);
  draft.setCondition('ScalingActive', 'False', { reason: 'AmbiguousSelector', message });
  return message;
}

function evaluateMetric(
  { pods, autoscaler }: AutoscalerState,
  { replicas: currentReplicas }: ScaleTarget,
  metric: MetricSource,
  now: Date,
): Measured | Unmeasured {
  const { type = '', resource } = metric;
  if (type !== 'Resource' || resource === undefined) return unavailable(type, metric, autoscaler);
  const { name = '', target = {} } = resource;
  const tolerances = tolerancesOf(autoscaler);
  const proposal = replicasForResource({ resource: name, target, pods, currentReplicas, tolerances }, now);
  if ('failure' in proposal) {
    const failure = `failed to get ${name} resource metric value: ${proposal.failure}`;
    return { reason: 'FailedGetResourceMetric', cause: proposal.failure, failure };
  }
  const isUsageTarget = target.averageValue !== undefined;
  return {
    replicas: proposal.replicas,
    metric: isUsageTarget ? `${name} resource` : `${name} resource utilization (percentage of request)`,
    status: { type, resource: { name, current: currentOf(proposal, name) } },
    ...(proposal.waitMs !== undefined && { waitMs: proposal.waitMs }),
  };
}

/** Metrics that need an API that the cluster does not serve. */
function unavailable(type: string, source: MetricSource, { metadata }: Readonly<Autoscaler>): Unmeasured {
  const custom =
    'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
  switch (type) {
    case 'ContainerResource': {
      const { name = '', container = '', target } = source.containerResource ?? {};
      const quantity = target?.averageValue === undefined ? 'utilization' : 'usage';
      const cause = `failed to get ${name} ${quantity}: unable to get metrics for resource ${name}: ${noResourceMetrics}`;
      const failure = `failed to get ${container} container metric value: ${cause}`;
      return { reason: 'FailedGetContainerResourceMetric', cause, failure };
    }
    case 'Pods': {
      const cause = `unable to get metric ${source.pods?.metric?.name}: ${custom}`;
      return { reason: 'FailedGetPodsMetric', cause, failure: `failed to get pods metric value: ${cause}` };
    }
    case 'Object': {
      const cause = `unable to get metric ${source.object?.metric?.name}: ${custom}`;
      const failure = `failed to get object metric value: failed to get object metric: ${cause}`;
      return { reason: 'FailedGetObjectMetric', cause, failure };
    }
    case 'External': {
      const name = source.external?.metric?.name;
      const missing = `the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
      const problem = `unable to fetch metrics from external metrics API: ${missing}`;
      const cause = `unable to get external metric ${metadata.namespace}/${name}/nil: ${problem}`;
      const isAverage = source.external?.target?.averageValue !== undefined;
      const step = isAverage ? `failed to get ${name} external metric` : `failed to get external metric ${name}`;
      const failure = `failed to get ${name} external metric value: ${step}: ${cause}`;
      return { reason: 'FailedGetExternalMetric', cause, failure };
    }
    default: {
      const cause = `unknown metric source type "${type}"`;
      return { reason: 'InvalidMetricSourceType', cause, failure: cause };
    }
  }
}

function currentOf(proposal: Exclude<Proposal, { readonly failure: string }>, resource: string): JsonObject {
  const { averageUtilization, averageValue } = proposal;
  const format = resource === 'memory' ? 'BinarySI' : 'DecimalSI';
  return {
    ...(averageUtilization !== undefined && { averageUtilization }),
    averageValue: new Quantity(BigInt(averageValue), -3, format).toString(),
  };
}

/** A tenth, unless the behaviour says otherwise. */
function tolerancesOf({ spec }: Readonly<Autoscaler>): Tolerances {
  const tolerance = (text: string | undefined): number => (text === undefined ? undefined : milliValue(text)) ?? 100;
  const { scaleUp, scaleDown } = spec?.behavior ?? {};
  return { up: tolerance(scaleUp?.tolerance) / 1000, down: tolerance(scaleDown?.tolerance) / 1000 };
}
