/** What a pod is counted with: its spec, what its node has given it, and the overhead of its runtime. */
import { parseQuantity, type Quantity } from '@flotilla/kube';
import type { ContainerFields } from './container-fields.ts';
import type { ContainerStatusFields, PodFields, PodStatusFields, ResourceList } from './pod-fields.ts';
import { aggregateResources, compareQuantities, entryOf } from './resource-lists.ts';

type Which = 'requests' | 'limits';

/** Resources that a pod can have beside those of its containers. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

export function podTotals(
  { spec, status }: Pick<PodFields, 'spec'> & Partial<PodFields>,
  which: Which,
): Map<string, Quantity> {
  const asRun = (container: ContainerFields): ContainerFields => withReported(container, status);
  const totals = new Map<string, Quantity>();
  const containers = status === undefined ? spec.containers : spec.containers?.map(asRun);
  const initContainers = status === undefined ? spec.initContainers : spec.initContainers?.map(asRunInit);
  for (const [name, text] of aggregateResources(
    { ...spec, ...(containers && { containers }), ...(initContainers && { initContainers }) },
    which,
  )) {
    totals.set(name, parseQuantity(text));
  }
  for (const [name, text] of Object.entries(spec.resources?.[which] ?? {})) {
    if (isPodLevelResource(name)) totals.set(name, parseQuantity(text));
  }
  for (const [name, text] of Object.entries(spec.overhead ?? {})) {
    const total = totals.get(name);
    // A pod without a limit has none with overhead either.
    if (which === 'requests') totals.set(name, total?.plus(parseQuantity(text)) ?? parseQuantity(text));
    else if (total !== undefined && total.sign !== 0) totals.set(name, total.plus(parseQuantity(text)));
  }
  return totals;

  function asRunInit(container: ContainerFields): ContainerFields {
    return container.restartPolicy === 'Always' ? asRun(container) : container;
  }
}

/** During a resize the larger amounts count. If the node cannot do it, the spec does not count. */
function withReported(container: ContainerFields, status: PodStatusFields | undefined): ContainerFields {
  const reported = statusOf(container.name, status);
  if (status === undefined || reported?.resources === undefined) return container;
  const isInfeasible = status.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
  const { requests, limits } = isInfeasible ? {} : (container.resources ?? {});
  const allocated = reported['allocatedResources'] as ResourceList | undefined;
  return {
    ...container,
    resources: {
      requests: larger(larger(requests, reported.resources.requests), allocated),
      limits: larger(limits, reported.resources.limits),
    },
  };
}

function statusOf(name: string, status: PodStatusFields | undefined): ContainerStatusFields | undefined {
  const ofName = (one: ContainerStatusFields): boolean => one.name === name;
  return status?.initContainerStatuses?.find(ofName) ?? status?.containerStatuses?.find(ofName);
}

function larger(a: ResourceList = {}, b: ResourceList = {}): ResourceList {
  const result = { ...a };
  for (const [name, text] of Object.entries(b)) {
    const other = entryOf(result, name);
    if (other === undefined || compareQuantities(text, other) > 0) result[name] = text;
  }
  return result;
}
