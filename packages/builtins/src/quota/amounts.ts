/** Arithmetic on resource lists with parsed quantities, as quotas count. */
import { parseQuantity, Quantity } from '@flotilla/kube';
import type { ResourceList } from '../kinds/core-pods/pod-fields.ts';
import { putAllSorted } from '../kinds/sorted-map.ts';

/** An amount for each resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const noAmounts: Amounts = new Map<string, Quantity>();

export const one = new Quantity(1n, 0, 'DecimalSI');

export function amount(count: number | bigint): Quantity {
  return new Quantity(BigInt(count), 0, 'DecimalSI');
}

export function parseAmounts(list: Readonly<ResourceList> = {}): Map<string, Quantity> {
  return new Map(Object.entries(list).map(([name, text]) => [name, parseQuantity(text)]));
}

export function printAmounts(amounts: Amounts): ResourceList {
  const list: ResourceList = {};
  putAllSorted(
    list,
    [...amounts].map(([name, quantity]) => [name, quantity.toString()]),
  );
  return list;
}

export function addAmounts(total: Map<string, Quantity>, more: Amounts): void {
  for (const [name, quantity] of more) total.set(name, total.get(name)?.plus(quantity) ?? quantity);
}

/** What `after` has more than `before`, without zeros. */
export function increaseOf(after: Amounts, before: Amounts): Amounts {
  const increase = new Map<string, Quantity>();
  for (const [name, quantity] of after) {
    const more = quantity.minus(before.get(name) ?? Quantity.zero);
    if (more.sign > 0) increase.set(name, more);
  }
  return increase;
}

export function onlyNamed(amounts: Amounts, names: Iterable<string>): Map<string, Quantity> {
  const named = new Map<string, Quantity>();
  for (const name of names) {
    const quantity = amounts.get(name);
    if (quantity !== undefined) named.set(name, quantity);
  }
  return named;
}

export function areEqualAmounts(a: Amounts, b: Amounts): boolean {
  if (a.size !== b.size) return false;
  return a.entries().every(([name, quantity]) => b.get(name)?.equals(quantity) === true);
}
