import type { Endpoint, EndpointSlice } from '../network-kinds.ts';
import { endpointKey, isSameState } from './endpoint-identity.ts';

const maxEndpoints = 100;

/** A slice as it will be. */
export interface PackedSlice {
  /** Undefined for a new slice. */
  readonly existing: Readonly<EndpointSlice> | undefined;
  readonly endpoints: Endpoint[];
  isChanged: boolean;
}

/**
 * Distributes the wanted endpoints, by key, over the slices of one list of ports, with few writes: each stays in its slice, new ones fill
 * slices that change anyway, then the one that they fit best, then new slices. A slice that is changed and has no endpoints is not needed
 * any more.
 */
export function packEndpoints(
  existing: readonly Readonly<EndpointSlice>[],
  wanted: ReadonlyMap<string, Endpoint>,
): PackedSlice[] {
  const unplaced = new Map(wanted);
  const packed = existing.map((slice) => keepWanted(slice, unplaced));
  const next = unplaced.values();
  const fill = ({ endpoints }: PackedSlice): void => {
    while (endpoints.length < maxEndpoints) {
      const { value, done } = next.next();
      if (done) return;
      unplaced.delete(endpointKey(value));
      endpoints.push(value);
    }
  };
  const changing = packed.filter(({ isChanged, endpoints }) => isChanged && endpoints.length > 0);
  for (const slice of changing.sort((a, b) => b.endpoints.length - a.endpoints.length)) fill(slice);
  while (unplaced.size > 0) {
    const slice = bestFit(packed, unplaced.size) ?? newSlice(packed);
    slice.isChanged = true;
    fill(slice);
  }
  return packed;
}

function keepWanted(existing: Readonly<EndpointSlice>, unplaced: Map<string, Endpoint>): PackedSlice {
  const before = existing.endpoints ?? [];
  const endpoints: Endpoint[] = [];
  let isChanged = false;
  for (const endpoint of before) {
    const key = endpointKey(endpoint);
    const wanted = unplaced.get(key);
    if (wanted === undefined || !isSameState(wanted, endpoint)) isChanged = true;
    if (wanted === undefined) continue;
    unplaced.delete(key);
    endpoints.push(wanted);
  }
  return { existing, endpoints, isChanged };
}

/** The unchanged slice that is closest to full with so many endpoints more. */
function bestFit(packed: readonly PackedSlice[], more: number): PackedSlice | undefined {
  const roomIn = ({ endpoints }: PackedSlice): number => maxEndpoints - endpoints.length - more;
  const fitting = packed.filter((slice) => !slice.isChanged && roomIn(slice) >= 0 && more < maxEndpoints);
  return fitting.sort((a, b) => roomIn(a) - roomIn(b))[0];
}

function newSlice(packed: PackedSlice[]): PackedSlice {
  const slice: PackedSlice = { existing: undefined, endpoints: [], isChanged: true };
  packed.push(slice);
  return slice;
}
