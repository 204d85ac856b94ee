/** PodDisruptionBudgets limit how many pods may be down at once. Each eviction takes one allowed disruption. */
import {
  ApiError,
  apiErrors,
  labelSelectorFrom,
  SelectorError,
  wireTime,
  type JsonObject,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { decodeStored } from '../../../resources/object-bytes.ts';
import { plainOptions } from '../../../request/write-options.ts';
import type { Call } from '../../../call/call.ts';
import { copyObject } from '../../writing/copy-object.ts';
import { endpointOf } from '../../../resources/endpoint.ts';
import { withManagedFields } from '../../writing/managed-fields.ts';
import { updateObject } from '../../writing/update-object.ts';

export interface Budget extends KubeObject {
  spec: { selector?: LabelSelectorObject; unhealthyPodEvictionPolicy?: string };
  status: BudgetStatus;
}

interface BudgetStatus extends JsonObject {
  observedGeneration?: number;
  disruptedPods?: Record<string, string>;
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  conditions?: Condition[];
}

interface Condition extends JsonObject {
  type: string;
  status: string;
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

const collection = 'poddisruptionbudgets.policy';

export function budgetsOf({ server, info }: Call, labels: Readonly<Record<string, string>>): Budget[] {
  const budgets = Array.from(
    server.store.snapshot().range(collection, `${info.namespace}/`),
    ({ bytes }) => decodeStored(bytes) as Budget,
  );
  return budgets.filter(({ spec }) => selects(spec.selector, labels));
}

function selects(selector: LabelSelectorObject | undefined, labels: Readonly<Record<string, string>>): boolean {
  try {
    return labelSelectorFrom(selector).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

const tooMany = "Cannot evict pod as it would violate the pod's disruption budget.";

/** The controller has not observed the newest generation. The client should retry. */
export function stillProcessed(name: string): ApiError {
  return refusal(10, `The disruption budget ${name} is still being processed by the server.`);
}

function refusal(retryAfterSeconds: number, message: string): ApiError {
  const { status } = apiErrors.tooManyRequests(tooMany, retryAfterSeconds);
  const causes = [{ reason: 'DisruptionBudget', message }];
  return new ApiError({ ...status, details: { causes, ...status.details } });
}

/** The limit of Kubernetes on evictions whose pods the controller has not seen deleted. */
const maxDisruptedPods = 2000;

function checkBudget({ metadata, status }: Budget): void {
  const { name = '', generation = 0 } = metadata;
  const forbidden = (why: string): ApiError =>
    apiErrors.forbidden({ resource: 'poddisruptionbudget', group: 'policy' }, name, why);
  if ((status.observedGeneration ?? 0) < generation) throw stillProcessed(name);
  if (status.disruptionsAllowed < 0) throw forbidden('pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > maxDisruptedPods) {
    throw forbidden('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (status.disruptionsAllowed === 0) throw refusal(0, exhaustedReason(name, status));
}

function exhaustedReason(name: string, { conditions, currentHealthy, desiredHealthy }: BudgetStatus): string {
  const condition = conditions?.find(({ type, status }) => type === 'DisruptionAllowed' && status === 'False');
  const reason = condition?.message ? condition.reason : '';
  if (reason === 'SyncFailed') {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${condition?.message}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  const general = `The disruption budget ${name} does not allow evicting pods currently`;
  return reason === '' ? general : `${general} (${reason}): ${condition?.message}`;
}

/** Takes one disruption from the budget, or refuses with 429. */
export async function takeDisruption(call: Call, budget: Budget, pod: string, dryRun: boolean): Promise<void> {
  checkBudget(budget);
  const { name = '' } = budget.metadata;
  const resource = call.server.registry.find('policy', 'v1', 'poddisruptionbudgets');
  const endpoint = resource && endpointOf(resource, 'status');
  if (!endpoint || dryRun) return;
  const info = { ...call.info, group: 'policy', resource: 'poddisruptionbudgets', name, subresource: 'status' };
  const own = { ...call, resource, info };
  const options = { fieldManager: 'kube-apiserver' };
  await updateObject({
    call: own,
    endpoint,
    options: plainOptions,
    mayBeUnconditional: true,
    transform: (live, now) => {
      const changed = copyObject(live) as Budget;
      checkBudget(changed);
      recordDisruption(changed, pod, now);
      return withManagedFields(own, { endpoint, live, object: changed, options, now });
    },
    onMissing: () => Promise.reject(apiErrors.notFound({ resource: 'poddisruptionbudgets', group: 'policy' }, name)),
  });
}

function recordDisruption({ status }: Budget, pod: string, now: Date): void {
  const time = wireTime(now);
  status.disruptionsAllowed -= 1;
  if (status.disruptionsAllowed === 0) setExhausted(status, time);
  status.disruptedPods = Object.fromEntries([...Object.entries(status.disruptedPods ?? {}), [pod, time]]);
}

function setExhausted(status: BudgetStatus, time: string): void {
  const { observedGeneration } = status;
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'DisruptionAllowed');
  const before = status.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const lastTransitionTime = before?.status === 'False' ? before.lastTransitionTime : time;
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    lastTransitionTime,
    reason: 'InsufficientPods',
    message: '',
  };
  status.conditions = [...others, { ...condition, ...(observedGeneration !== undefined && { observedGeneration }) }];
}
