import { createHash } from 'node:crypto';
import { formatTime, parseQuantity, Quantity, QuantityError } from '@flotilla/kube';
import type { Condition, Node, Taint } from '../kinds.ts';
import { machineOf } from './instance-types.ts';
import type { NodeShape } from './node-shape.ts';

/** One of the nodes that a shape describes. */
export interface WantedNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly capacity: Readonly<Record<string, string>>;
}

const defaultMachine = { cpus: 4, memoryMi: 16 * 1024 };

/** Numbers go on across shapes with the same name. */
export function wantedNodes(shapes: readonly NodeShape[]): WantedNode[] {
  const counts = new Map<string, number>();
  return shapes.flatMap((shape) => {
    const { name = 'node', count = 1 } = shape;
    const first = (counts.get(name) ?? 0) + 1;
    counts.set(name, first - 1 + count);
    return Array.from({ length: count }, (_, index) => wantedNode(`${name}-${first + index}`, shape));
  });
}

function wantedNode(
  name: string,
  { instanceType, region, zone, capacity, labels, taints = [] }: NodeShape,
): WantedNode {
  const { cpus, memoryMi } = machineOf(instanceType ?? '') ?? defaultMachine;
  const memory = Number.isInteger(memoryMi / 1024) ? `${memoryMi / 1024}Gi` : `${memoryMi}Mi`;
  return {
    name,
    labels: {
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      ...(instanceType && {
        'beta.kubernetes.io/instance-type': instanceType,
        'node.kubernetes.io/instance-type': instanceType,
      }),
      ...(region && { 'failure-domain.beta.kubernetes.io/region': region, 'topology.kubernetes.io/region': region }),
      ...(zone && { 'failure-domain.beta.kubernetes.io/zone': zone, 'topology.kubernetes.io/zone': zone }),
      ...labels,
    },
    taints: taints.map(({ key, value, effect }) => ({ key, ...(value && { value }), effect })),
    capacity: { cpu: `${cpus}`, memory, 'ephemeral-storage': '100Gi', pods: '110', ...capacity },
  };
}

/** Less than the capacity, because the system itself needs something. */
export function allocatableOf(capacity: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(capacity).map(([resource, text]) => [resource, String(withoutReserve(resource, text))]),
  );
}

/** At most a tenth of a CPU and a gigabyte of memory, less on small machines, and a tenth of the disk. */
function withoutReserve(resource: string, text: string): Quantity | string {
  try {
    const quantity = parseQuantity(text);
    switch (resource) {
      case 'cpu':
        return quantity.minus(smaller(new Quantity(100n, -3, 'DecimalSI'), part(quantity, 8)));
      case 'memory':
        return quantity.minus(smaller(new Quantity(2n ** 30n, 0, 'BinarySI'), part(quantity, 16)));
      case 'ephemeral-storage':
        return quantity.minus(part(quantity, 10));
      default:
        return text;
    }
  } catch (error) {
    if (error instanceof QuantityError) return text;
    throw error;
  }
}

function part(quantity: Quantity, divisor: number): Quantity {
  return new Quantity(quantity.milliValue() / BigInt(divisor), -3, quantity.format);
}

function smaller(a: Quantity, b: Quantity): Quantity {
  return a.compare(b) < 0 ? a : b;
}

/** A node as a kubelet registers it. `number` is its own among the nodes of the cluster. */
export function nodeObject(wanted: WantedNode, number: number, kubeletVersion: string, now: Date): Node {
  const { name, labels, taints, capacity } = wanted;
  const podCIDR = `10.${244 + (number >>> 8)}.${number & 255}.0/24`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels } },
    spec: { podCIDR, podCIDRs: [podCIDR], ...(taints.length > 0 && { taints: [...taints] }) },
    status: {
      capacity: { ...capacity },
      allocatable: allocatableOf(capacity),
      conditions: conditions(formatTime(now)),
      addresses: [
        { type: 'InternalIP', address: `192.168.${number >>> 8}.${number & 255}` },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: {
        machineID: digest(`machine/${name}`).slice(0, 32),
        systemUUID: uuid(digest(`system/${name}`)),
        bootID: uuid(digest(`boot/${name}`)),
        kernelVersion: 'simulated',
        osImage: 'Flotilla simulator',
        containerRuntimeVersion: 'containerd://simulated',
        kubeletVersion,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function uuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function conditions(at: string): Condition[] {
  const times = { lastHeartbeatTime: at, lastTransitionTime: at };
  const pressures = [
    ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ];
  return [
    ...pressures.map(([type = '', reason = '', message = '']) => ({
      type,
      status: 'False',
      ...times,
      reason,
      message,
    })),
    { type: 'Ready', status: 'True', ...times, reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  ];
}
