/** What a pod needs of a node. */
import { parseQuantity, QuantityError } from '@flotilla/kube';
import type { Container, Pod, PodSpec } from '../kinds.ts';
import { isSidecar } from '../kubelet/pod-containers.ts';

/** Amounts by resource: CPU in thousandths, everything else in units. */
export type Amounts = ReadonlyMap<string, number>;

export interface Demand {
  readonly requests: Amounts;
  /** `TCP/0.0.0.0/80`: what the pod's containers claim of the node's own address. */
  readonly hostPorts: readonly HostPort[];
}

export interface HostPort {
  readonly protocol: string;
  readonly ip: string;
  readonly port: number;
}

const noPorts: readonly HostPort[] = [];

export function demandOf({ spec = {} }: Readonly<Pod>): Demand {
  return { requests: requestsOf(spec), hostPorts: hostPortsOf(spec) };
}

export function amountsOf(quantities: Readonly<Record<string, string>> | undefined): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const [resource, text] of Object.entries(quantities ?? {})) amounts.set(resource, amountOf(resource, text));
  return amounts;
}

function amountOf(resource: string, text: string): number {
  try {
    const quantity = parseQuantity(text);
    return Number(resource === 'cpu' ? quantity.milliValue() : quantity.value());
  } catch (error) {
    if (error instanceof QuantityError) return 0;
    throw error;
  }
}

/**
 * Containers and sidecars run together. Each init container runs with the sidecars before it. The larger of the two sums counts, plus the
 * overhead of the runtime.
 */
function requestsOf({ containers = [], initContainers = [], overhead, resources }: Readonly<PodSpec>): Amounts {
  const total = new Map<string, number>();
  for (const container of containers) addTo(total, requestsOfContainer(container));
  const sidecars = new Map<string, number>();
  const peak = new Map<string, number>();
  for (const container of initContainers) {
    const own = requestsOfContainer(container);
    if (isSidecar(container)) addTo(sidecars, own);
    const together = new Map(sidecars);
    if (!isSidecar(container)) addTo(together, own);
    raise(peak, together);
  }
  addTo(total, sidecars);
  raise(total, peak);
  for (const [resource, amount] of amountsOf(resources?.requests)) total.set(resource, amount);
  if (overhead !== undefined) addTo(total, amountsOf(overhead));
  return total;
}

function requestsOfContainer({ resources }: Readonly<Container>): Amounts {
  return amountsOf(resources?.requests);
}

function addTo(sum: Map<string, number>, more: Amounts): void {
  for (const [resource, amount] of more) sum.set(resource, (sum.get(resource) ?? 0) + amount);
}

function raise(maximum: Map<string, number>, other: Amounts): void {
  for (const [resource, amount] of other) {
    if (amount > (maximum.get(resource) ?? 0)) maximum.set(resource, amount);
  }
}

function hostPortsOf({ containers = [], initContainers = [] }: Readonly<PodSpec>): readonly HostPort[] {
  const all = [...containers, ...initContainers.filter(isSidecar)].flatMap(({ ports = [] }) => ports);
  const claimed = all.filter(({ hostPort = 0 }) => hostPort > 0);
  if (claimed.length === 0) return noPorts;
  return claimed.map(({ protocol = 'TCP', hostIP, hostPort = 0 }) => ({
    protocol,
    ip: hostIP || '0.0.0.0',
    port: hostPort,
  }));
}
