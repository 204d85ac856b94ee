import { isJsonObject, parseQuantity, Quantity, QuantityError, type JsonValue } from '@flotilla/kube';

/** What is counted of nodes and pods. */
export const countedResources = ['cpu', 'memory'] as const;

export type CountedResource = (typeof countedResources)[number];

export type Amounts = Readonly<Record<CountedResource, Quantity>>;

export const nothing: Amounts = { cpu: Quantity.zero, memory: Quantity.zero };

/** From a list of resources as nodes and containers carry it; what is absent or cannot be read is zero. */
export function amountsIn(resources: JsonValue | undefined): Amounts {
  if (!isJsonObject(resources)) return nothing;
  return { cpu: amountOf(resources['cpu']), memory: amountOf(resources['memory']) };
}

export function plus(one: Amounts, other: Amounts): Amounts {
  return { cpu: one.cpu.plus(other.cpu), memory: one.memory.plus(other.memory) };
}

export function minus(one: Amounts, other: Amounts): Amounts {
  return { cpu: one.cpu.minus(other.cpu), memory: one.memory.minus(other.memory) };
}

/** What is left, never less than nothing: nodes and pods are not seen at the same moment. */
export function leftOf(all: Amounts, used: Amounts): Amounts {
  const { cpu, memory } = minus(all, used);
  return { cpu: cpu.sign < 0 ? Quantity.zero : cpu, memory: memory.sign < 0 ? Quantity.zero : memory };
}

export function isEqual(one: Amounts, other: Amounts): boolean {
  return countedResources.every((resource) => one[resource].equals(other[resource]));
}

/** As a status carries them. */
export function printed({ cpu, memory }: Amounts): Record<CountedResource, string> {
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
