import { parseQuantity, quote } from '@flotilla/kube';
import type { ResourceList } from './pod-fields.ts';
import { entryOf } from './resource-lists.ts';
import type { ClaimSpecFields } from './volume-fields.ts';

/** Resources that are counted in bytes, of which there are no halves. */
export function fractionWarnings(path: string, list: ResourceList | undefined, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const quantity = entryOf(list, name);
    if (quantity === undefined || parseQuantity(quantity).milliValue() % 1000n === 0n) return [];
    return [`${path}[${name}]: fractional byte value ${quote(quantity)} is invalid, must be an integer`];
  });
}

/** `path` of the spec of a claim. */
export function claimWarnings(path: string, { resources }: ClaimSpecFields): string[] {
  return [
    ...fractionWarnings(`${path}.resources.requests`, resources?.requests, ['storage']),
    ...fractionWarnings(`${path}.resources.limits`, resources?.limits, ['storage']),
  ];
}
