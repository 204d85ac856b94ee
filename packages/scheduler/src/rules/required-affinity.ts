import type { ClusterSelectorTerm, PlacementPolicy } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import type { Explanation, Rule, Support } from './rule.ts';
import { CompiledTerm } from './selector-term.ts';
import { limitedProblems, tooLarge, withinLimit } from './size-limits.ts';

const noTermMatches = 'cluster does not match with any of the required cluster affinity terms';

/** Chosen clusters match a required term, if there are any. */
export class RequiredAffinity implements Rule {
  readonly plugin = 'ClusterAffinity';
  readonly keepsDomains = true;
  /** What makes terms senseless. */
  readonly problems: readonly string[];
  /** By index in the policy. Terms beyond the limit match no cluster. */
  readonly #terms: ReadonlyMap<number, CompiledTerm>;

  constructor(terms: readonly ClusterSelectorTerm[]) {
    const compiled = withinLimit(terms, (term) => term).map(({ term, isWithin }) =>
      isWithin ? new CompiledTerm(term) : undefined,
    );
    this.#terms = new Map(compiled.flatMap((term, index) => (term ? [[index, term] as const] : [])));
    this.problems = limitedProblems(
      compiled.flatMap((term, index) => {
        const problem = term === undefined ? tooLarge : term.problem;
        return problem === undefined ? [] : [`required cluster affinity term ${index} matches no cluster: ${problem}`];
      }),
    );
  }

  /** Undefined if the policy requires nothing. */
  static of(policy: PlacementPolicy): RequiredAffinity | undefined {
    const required = policy.affinity?.clusterAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const terms = required?.clusterSelectorTerms ?? [];
    return terms.length === 0 ? undefined : new RequiredAffinity(terms);
  }

  reject(row: ClusterRow): true | undefined {
    for (const term of this.#terms.values()) {
      if (term.matches(row)) return undefined;
    }
    return true;
  }

  /** The first term that the cluster matches; undefined if there is none. */
  match(row: ClusterRow): Support['match'] {
    for (const [index, term] of this.#terms) {
      if (term.matches(row)) return { term: index, met: term.requirements(row) };
    }
    return undefined;
  }

  explain(_rejection: unknown, row: ClusterRow): Explanation {
    const terms = [...this.#terms].map(([index, term]) => term.failure(index, row));
    return { reasons: [noTermMatches, ...this.problems], evidence: { kind: 'affinity', terms } };
  }
}
