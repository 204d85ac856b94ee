import type { ClusterRow } from '../cluster-row.ts';
import type { Explanation, Rule } from './rule.ts';

/** Chosen clusters are in a list of the caller's. */
export class Candidates implements Rule {
  readonly plugin = 'Candidates';
  readonly keepsDomains = false;
  readonly #names: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  reject({ name }: ClusterRow): true | undefined {
    return this.#names.has(name) ? undefined : true;
  }

  explain(): Explanation {
    return { reasons: ['cluster is not among the candidate clusters'], evidence: { kind: 'candidates' } };
  }
}
