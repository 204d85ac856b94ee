import type { PlacementPolicy } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import type { Explanation, Rule } from './rule.ts';
import { CompiledTerm } from './selector-term.ts';

const noTermMatches = 'cluster does not match with any of the required cluster affinity terms';

/** Chosen clusters match a required term, if there are any. */
export class RequiredAffinity implements Rule {
  readonly plugin = 'ClusterAffinity';
  /** What makes terms senseless. */
  readonly problems: readonly string[];
  readonly #terms: readonly CompiledTerm[];

  constructor(terms: readonly CompiledTerm[]) {
    this.#terms = terms;
    this.problems = terms.flatMap(({ problem }, index) =>
      problem === undefined ? [] : [`required cluster affinity term ${index} matches no cluster: ${problem}`],
    );
  }

  /** Undefined if the policy requires nothing. */
  static of(policy: PlacementPolicy): RequiredAffinity | undefined {
    const required = policy.affinity?.clusterAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const terms = required?.clusterSelectorTerms ?? [];
    return terms.length === 0 ? undefined : new RequiredAffinity(terms.map((term) => new CompiledTerm(term)));
  }

  reject(row: ClusterRow): true | undefined {
    for (const term of this.#terms) {
      if (term.matches(row)) return undefined;
    }
    return true;
  }

  explain(_rejection: unknown, row: ClusterRow): Explanation {
    const terms = this.#terms.map((term, index) => term.failure(index, row));
    return { reasons: [noTermMatches, ...this.problems], evidence: { kind: 'affinity', terms } };
  }
}
