import type { ManagedCluster } from '@flotilla/api';
import { celOf, type CelValue } from '@flotilla/cel';
import { canonicalQuantity, type JsonObject, type JsonValue } from '@flotilla/kube';

/**
 * `managedCluster` in expressions, as OCM's: the fields of the Go type, without apiVersion and kind. Some fields are present in every
 * cluster, others only if they have a value.
 */
export function clusterValue({ metadata, spec, status }: Readonly<ManagedCluster>): CelValue {
  const { managedFields: _ignored, ...meta } = metadata;
  return celOf({
    metadata: { creationTimestamp: null, ...meta } as JsonObject,
    spec: {
      hubAcceptsClient: false,
      ...spec,
      ...(spec?.taints && { taints: spec.taints.map((taint) => ({ timeAdded: null, ...taint })) }),
    },
    status: {
      conditions: null,
      version: {},
      ...status,
      ...(status?.capacity && { capacity: quantities(status.capacity) }),
      ...(status?.allocatable && { allocatable: quantities(status.allocatable) }),
    },
  });
}

/** Always strings, as Go prints them. */
function quantities(amounts: Readonly<Record<string, number | string>>): JsonObject {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, quantityText(amount)]));
}

function quantityText(amount: number | string): JsonValue {
  try {
    return canonicalQuantity(String(amount));
  } catch {
    return String(amount);
  }
}
