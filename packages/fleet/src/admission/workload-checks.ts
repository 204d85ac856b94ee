/** A hub stores the templates of workloads. Pods of its own would run beside it. */
import { reservedNamespacePrefixes } from '@flotilla/api';
import { isReservedNamespace, refusedPod, refusedPodBudget, refusedReplicaSet } from '@flotilla/controllers';
import { pods, quote, type ObjectKey } from '@flotilla/kube';
import type { CheckedKind, FleetCheck } from './fleet-check.ts';

const replicaSets = { group: 'apps', plural: 'replicasets', namespaced: true };
const podBudgets = { group: 'policy', plural: 'poddisruptionbudgets', namespaced: true };

/** Kubernetes and the fleet run their own pods there. */
const notReserved = reservedNamespacePrefixes
  .map((prefix) => `!request.namespace.startsWith(${quote(prefix)})`)
  .join(' && ');

function workloadCheck(webhook: string, kind: CheckedKind['kind'], sentence: (key: ObjectKey) => string): FleetCheck {
  return {
    webhook,
    phase: 'check',
    isGuard: false,
    kinds: [{ kind, subresources: [''], operations: ['CREATE'] }],
    condition: notReserved,
    isForNamespace: (namespace) => !isReservedNamespace(namespace),
    decide: ({ namespace, object }) => ({ refusal: sentence({ namespace, name: object?.metadata.name ?? '' }) }),
  };
}

export const workloadChecks: readonly FleetCheck[] = [
  workloadCheck('fleet.pod.validating', pods, refusedPod),
  workloadCheck('fleet.replicaset.validating', replicaSets, refusedReplicaSet),
];

export const budgetChecks: readonly FleetCheck[] = [
  workloadCheck('fleet.poddisruptionbudget.validating', podBudgets, refusedPodBudget),
];
