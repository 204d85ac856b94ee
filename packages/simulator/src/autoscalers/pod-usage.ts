/** What pods use, as their annotations say: the simulator's source of metrics. */
import { parseQuantity, QuantityError } from '@flotilla/kube';
import type { Pod } from '../kinds.ts';

const annotations: ReadonlyMap<string, string> = new Map([
  ['cpu', 'simulator.flotilla.dev/cpu-usage'],
  ['memory', 'simulator.flotilla.dev/memory-usage'],
]);

/** In thousandths of a unit. Undefined without an annotation, and for what is no quantity. */
export function usageOf({ metadata }: Readonly<Pod>, resource: string): number | undefined {
  const annotation = annotations.get(resource);
  const value = annotation === undefined ? undefined : metadata.annotations?.[annotation];
  return value === undefined ? undefined : milliValue(value);
}

export function hasUsage({ metadata }: Readonly<Pod>): boolean {
  return [...annotations.values()].some((annotation) => metadata.annotations?.[annotation] !== undefined);
}

export function milliValue(quantity: string): number | undefined {
  try {
    return Number(parseQuantity(quantity).milliValue());
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
