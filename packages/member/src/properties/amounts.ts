import { isJsonObject, parseQuantity, Quantity, QuantityError, type JsonValue } from '@flotilla/kube';

/** The resources that are summed over nodes and pods. */
export const countedResources = ['cpu', 'memory'] as const;

export type CountedResource = (typeof countedResources)[number];

export type Amounts = Readonly<Record<CountedResource, Quantity>>;

export const zeroAmounts: Amounts = { cpu: Quantity.zero, memory: Quantity.zero };

/** Reads a ResourceList. Absent and invalid quantities are zero. */
export function amountsIn(resources: JsonValue | undefined): Amounts {
  if (!isJsonObject(resources)) return zeroAmounts;
  return { cpu: amountOf(resources['cpu']), memory: amountOf(resources['memory']) };
}

export function plus(one: Amounts, other: Amounts): Amounts {
  return { cpu: one.cpu.plus(other.cpu), memory: one.memory.plus(other.memory) };
}

export function minus(one: Amounts, other: Amounts): Amounts {
  return { cpu: one.cpu.minus(other.cpu), memory: one.memory.minus(other.memory) };
}

/** At least zero, because the informers of nodes and pods show different times. */
export function remaining(all: Amounts, used: Amounts): Amounts {
  const { cpu, memory } = minus(all, used);
  return { cpu: cpu.sign < 0 ? Quantity.zero : cpu, memory: memory.sign < 0 ? Quantity.zero : memory };
}

export function isEqual(one: Amounts, other: Amounts): boolean {
  return countedResources.every((resource) => one[resource].equals(other[resource]));
}

export function toResourceList({ cpu, memory }: Amounts): Record<CountedResource, string> {
  return { cpu: cpu.toString(), memory: memory.toString() };
}

function amountOf(value: JsonValue | undefined): Quantity {
  if (typeof value !== 'string' && typeof value !== 'number') return Quantity.zero;
  try {
    return parseQuantity(String(value));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return Quantity.zero;
  }
}
