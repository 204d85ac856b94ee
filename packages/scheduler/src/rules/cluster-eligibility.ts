import type { ClusterRow } from '../cluster-row.ts';
import { ineligibility, ineligibilityText, type EligibilityTimeouts, type Ineligibility } from '../eligibility.ts';
import type { Explanation, Rule } from './rule.ts';

/** Chosen clusters are members, connected and healthy. */
export class ClusterEligibility implements Rule {
  readonly plugin = 'ClusterEligibility';
  readonly keepsDomains = false;
  readonly #timeouts: EligibilityTimeouts;
  readonly #now: number;

  constructor(timeouts: EligibilityTimeouts, now: number) {
    this.#timeouts = timeouts;
    this.#now = now;
  }

  reject({ health }: ClusterRow): Ineligibility | undefined {
    return ineligibility(health, this.#timeouts, this.#now);
  }

  explain(rejection: unknown, { health }: ClusterRow): Explanation {
    const check = rejection as Ineligibility;
    return { reasons: [ineligibilityText(check, health, this.#now)], evidence: { kind: 'eligibility', check } };
  }
}
