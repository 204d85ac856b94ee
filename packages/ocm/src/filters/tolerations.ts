import type { ManagedClusterTaint, OcmToleration } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import { Misconfiguration } from '../misconfiguration.ts';

/** A taint that keeps a cluster out. */
export interface TaintFailure {
  readonly taint: ManagedClusterTaint;
  /** When the last toleration for it expired, in milliseconds since the epoch. Undefined if there was none. */
  readonly expiredAt?: number;
}

/** All taints of a selected cluster are tolerated. */
export class Tolerations {
  readonly #byKey = new Map<string, OcmToleration[]>();
  readonly #forAnyKey: readonly OcmToleration[];

  /** Throws a Misconfiguration. */
  constructor(tolerations: readonly OcmToleration[]) {
    for (const toleration of tolerations) {
      checkToleration(toleration);
      const { key = '' } = toleration;
      const others = this.#byKey.get(key);
      if (others === undefined) this.#byKey.set(key, [toleration]);
      else others.push(toleration);
    }
    this.#forAnyKey = this.#byKey.get('') ?? [];
  }

  /** The first taint that is not tolerated. `isChosen`: whether the Placement has selected the cluster already. */
  failure({ taints }: ClusterRow, isChosen: boolean, now: number): TaintFailure | undefined {
    for (const taint of taints) {
      if (isHarmless(taint, isChosen)) continue;
      const until = this.#toleratedUntil(taint);
      if (until === undefined) return { taint };
      if (until <= now) return { taint, expiredAt: until };
    }
    return undefined;
  }

  /** When the first taint of a tolerated cluster stops being tolerated; Infinity if never. */
  expiry({ taints }: ClusterRow, isChosen: boolean): number {
    let first = Infinity;
    for (const taint of taints) {
      if (!isHarmless(taint, isChosen)) first = Math.min(first, this.#toleratedUntil(taint) ?? Infinity);
    }
    return first;
  }

  /** Undefined if no toleration matches the taint. */
  #toleratedUntil(taint: ManagedClusterTaint): number | undefined {
    let last: number | undefined;
    for (const candidates of [this.#byKey.get(taint.key) ?? [], this.#forAnyKey]) {
      for (const toleration of candidates) {
        if (matches(toleration, taint)) last = Math.max(last ?? -Infinity, expiryOf(toleration, taint));
      }
    }
    return last;
  }
}

/** PreferNoSelect removes no cluster. NoSelectIfNew removes none that is selected. */
function isHarmless({ effect }: ManagedClusterTaint, isChosen: boolean): boolean {
  return effect === 'PreferNoSelect' || (effect === 'NoSelectIfNew' && isChosen);
}

function checkToleration({ key = '', operator, value = '' }: OcmToleration): void {
  if (key === '' && operator !== 'Exists') {
    throw new Misconfiguration('If the key is empty, operator must be Exists.');
  }
  if (operator === 'Exists' && value !== '') {
    throw new Misconfiguration('If the operator is Exists, the value should be empty.');
  }
}

/** The keys are equal already, or the toleration has none. */
function matches({ operator, value = '', effect }: OcmToleration, taint: ManagedClusterTaint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (operator === 'Exists') return true;
  // An unknown operator tolerates nothing.
  return (operator === 'Equal' || operator === '') && value === (taint.value ?? '');
}

/** The API promises that the seconds do not count for NoSelectIfNew. A taint without a time was added long ago. */
function expiryOf({ tolerationSeconds }: OcmToleration, { effect, timeAdded }: ManagedClusterTaint): number {
  if (tolerationSeconds === undefined || effect === 'NoSelectIfNew') return Infinity;
  const added = Date.parse(timeAdded ?? '');
  return Number.isNaN(added) ? -Infinity : added + tolerationSeconds * 1000;
}
