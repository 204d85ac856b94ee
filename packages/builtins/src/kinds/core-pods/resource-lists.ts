/** Arithmetic on resource lists. Quantities stay strings, as on the wire. */
import { parseQuantity } from '@flotilla/kube';
import type { ContainerFields } from './container-fields.ts';
import type { PodSpecFields, ResourceList } from './pod-fields.ts';
import { putSorted } from '../sorted-map.ts';

const milliExponent = -3;

/** Kubernetes keeps thousandths and rounds up. Only micro- and nano-units are finer. */
export function roundUpToMilli(list: ResourceList | undefined): void {
  if (list === undefined) return;
  for (const name in list) {
    const text = list[name] ?? '';
    if (text.endsWith('u') || text.endsWith('n') || text.includes('e-')) {
      putSorted(list, name, parseQuantity(text).roundedUp(milliExponent).toString());
    }
  }
}

/** Negative when the first is less than the second. */
export function compareQuantities(a: string, b: string): number {
  return a === b ? 0 : parseQuantity(a).compare(parseQuantity(b));
}

export function isNegative(quantity: string): boolean {
  return quantity.startsWith('-') && parseQuantity(quantity).sign < 0;
}

export function entryOf(list: ResourceList | undefined, name: string): string | undefined {
  return list !== undefined && Object.hasOwn(list, name) ? list[name] : undefined;
}

export type ResourceTotals = ReadonlyMap<string, string>;

/**
 * The resources that a pod needs at once. That is the sum of regular containers and sidecars, or the maximum during
 * startup if greater.
 */
export function aggregateResources(spec: PodSpecFields, which: 'requests' | 'limits'): ResourceTotals {
  const total = new Map<string, string>();
  for (const container of spec.containers ?? []) add(total, entriesOf(container, which));
  const sidecars = new Map<string, string>();
  const peak = new Map<string, string>();
  for (const container of spec.initContainers ?? []) {
    const own = entriesOf(container, which);
    if (container.restartPolicy === 'Always') {
      add(total, own);
      add(sidecars, own);
      raise(peak, sidecars);
    } else {
      const during = new Map(sidecars);
      add(during, own);
      raise(peak, during);
    }
  }
  raise(total, peak);
  return total;
}

function entriesOf({ resources }: ContainerFields, which: 'requests' | 'limits'): readonly [string, string][] {
  return Object.entries(resources?.[which] ?? {});
}

function add(total: Map<string, string>, more: readonly [string, string][]): void {
  for (const [name, quantity] of more) {
    const before = total.get(name);
    total.set(name, before === undefined ? quantity : parseQuantity(before).plus(parseQuantity(quantity)).toString());
  }
}

function raise(total: Map<string, string>, atLeast: ResourceTotals): void {
  for (const [name, quantity] of atLeast) {
    const before = total.get(name);
    if (before === undefined || compareQuantities(quantity, before) > 0) total.set(name, quantity);
  }
}
