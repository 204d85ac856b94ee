import type { PlacementPolicy, Taint, Toleration } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import type { Explanation, Rule } from './rule.ts';

/** The policy tolerates every taint of a chosen cluster. */
export class TaintToleration implements Rule {
  readonly plugin = 'TaintToleration';
  readonly keepsDomains = true;
  readonly #tolerations: readonly Toleration[];

  constructor({ tolerations = [] }: PlacementPolicy) {
    this.#tolerations = tolerations;
  }

  /** The first taint that is not tolerated. */
  reject({ taints }: ClusterRow): Taint | undefined {
    for (const taint of taints) {
      if (!this.#tolerates(taint)) return taint;
    }
    return undefined;
  }

  explain(rejection: unknown): Explanation {
    const taint = rejection as Taint;
    const { key, value = '', effect } = taint;
    return {
      reasons: [`taint &{Key:${key} Value:${value} Effect:${effect}} cannot be tolerated`],
      evidence: { kind: 'taint', taint },
    };
  }

  #tolerates(taint: Taint): boolean {
    for (const toleration of this.#tolerations) {
      if (tolerates(toleration, taint)) return true;
    }
    return false;
  }
}

function tolerates({ key = '', operator, value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === '' || key === taint.key;
  return key === taint.key && value === (taint.value ?? '');
}
