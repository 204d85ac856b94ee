import { amountsOf, type Amounts, type Demand, type HostPort } from './demand.ts';
import type { Node } from '../kinds.ts';

/** What the pods on a node need together. */
export class NodeLoad {
  readonly requested: Map<string, number>;
  readonly #ports: HostPort[];
  pods: number;

  constructor(other?: NodeLoad) {
    this.requested = new Map(other?.requested);
    this.#ports = other === undefined ? [] : [...other.#ports];
    this.pods = other?.pods ?? 0;
  }

  add({ requests, hostPorts }: Demand): void {
    for (const [resource, amount] of requests) this.requested.set(resource, this.requestedOf(resource) + amount);
    this.#ports.push(...hostPorts);
    this.pods++;
  }

  remove({ requests, hostPorts }: Demand): void {
    for (const [resource, amount] of requests) this.requested.set(resource, this.requestedOf(resource) - amount);
    for (const port of hostPorts) {
      const index = this.#ports.findIndex((other) => conflict(port, other) && port.ip === other.ip);
      if (index >= 0) this.#ports.splice(index, 1);
    }
    this.pods--;
  }

  requestedOf(resource: string): number {
    return this.requested.get(resource) ?? 0;
  }

  hasFree(ports: readonly HostPort[]): boolean {
    return !ports.some((port) => this.#ports.some((other) => conflict(port, other)));
  }
}

function conflict(a: HostPort, b: HostPort): boolean {
  const isSameAddress = a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0';
  return a.port === b.port && a.protocol === b.protocol && isSameAddress;
}

/** A node and what is on it. */
export interface LoadedNode {
  readonly name: string;
  readonly node: Readonly<Node>;
  readonly allocatable: Amounts;
  readonly load: NodeLoad;
}

export function loadedNode(node: Readonly<Node>, load: NodeLoad): LoadedNode {
  const { allocatable, capacity } = node.status ?? {};
  return { name: node.metadata.name ?? '', node, allocatable: amountsOf(allocatable ?? capacity), load };
}
