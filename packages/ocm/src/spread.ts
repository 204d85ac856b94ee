/**
 * Spread constraints, which OCM declares and never built. Clusters are selected one after the other, because each choice changes the
 * skew. DoNotSchedule rules clusters out, ScheduleAnyway lowers their scores.
 */
import type { SpreadConstraint } from '@flotilla/api';
import { compareBytes, stringifyJson } from '@flotilla/kube';
import type { ClusterRow } from './cluster-row.ts';
import { Topology, type Domain } from './topology.ts';

export interface Candidate {
  readonly row: ClusterRow;
  /** Of all prioritizers, with their weights. */
  readonly score: number;
}

export interface SpreadSelection {
  /** In the order of selection. */
  readonly selected: readonly Candidate[];
  readonly others: readonly Candidate[];
  /** Of the others: clusters that a constraint rules out. */
  readonly excluded: ReadonlyMap<string, SpreadConstraint>;
  /** Scores of Spread by cluster, without its weight. */
  readonly scores: ReadonlyMap<string, number>;
}

/** Clusters with the same domains, the best first. Constraints treat them alike, so only the first is compared. */
interface Bucket {
  /** By constraint; undefined if the clusters lack its key. */
  readonly domains: readonly (Domain | undefined)[];
  readonly lacksKey: boolean;
  readonly candidates: Candidate[];
  next: number;
}

/** Selects up to `limit` clusters. `ranked`: by score without Spread, then by name. */
export function selectSpread(
  ranked: readonly Candidate[],
  limit: number,
  constraints: readonly SpreadConstraint[],
  weight: number,
): SpreadSelection {
  const choice = new SpreadChoice(ranked, constraints, weight);
  const selected: Candidate[] = [];
  while (selected.length < limit) {
    const candidate = choice.takeBest();
    if (candidate === undefined) break;
    selected.push(candidate);
  }
  return { selected, ...choice.rest(), scores: choice.scores };
}

class SpreadChoice {
  readonly scores = new Map<string, number>();
  readonly #topologies: readonly Topology[];
  readonly #buckets: readonly Bucket[];
  readonly #weight: number;

  constructor(ranked: readonly Candidate[], constraints: readonly SpreadConstraint[], weight: number) {
    this.#topologies = constraints.map((constraint) => new Topology(constraint));
    this.#buckets = bucketsOf(ranked, this.#topologies);
    this.#weight = weight;
    this.#refresh();
  }

  /** Undefined if constraints rule out what is left. */
  takeBest(): Candidate | undefined {
    let best: Bucket | undefined;
    let bestScore = 0;
    for (const bucket of this.#buckets) {
      const head = bucket.candidates[bucket.next];
      if (head === undefined || this.#ruledOutBy(bucket) !== undefined) continue;
      const score = head.score + this.#weight * this.#scoreOf(bucket);
      if (best !== undefined && compare(bucket, score, best, bestScore) >= 0) continue;
      best = bucket;
      bestScore = score;
    }
    const head = best?.candidates[best.next];
    if (best === undefined || head === undefined) return undefined;
    const taken = this.#scored(head, this.#scoreOf(best));
    best.next++;
    for (const domain of best.domains) if (domain !== undefined) domain.count++;
    this.#refresh();
    return taken;
  }

  rest(): Pick<SpreadSelection, 'others' | 'excluded'> {
    const others: Candidate[] = [];
    const excluded = new Map<string, SpreadConstraint>();
    for (const bucket of this.#buckets) {
      const constraint = this.#ruledOutBy(bucket);
      for (const candidate of bucket.candidates.slice(bucket.next)) {
        others.push(this.#scored(candidate, this.#scoreOf(bucket)));
        if (constraint !== undefined) excluded.set(candidate.row.name, constraint);
      }
    }
    return { others, excluded };
  }

  #refresh(): void {
    for (const topology of this.#topologies) topology.refresh();
  }

  #ruledOutBy({ domains }: Bucket): SpreadConstraint | undefined {
    for (const [index, topology] of this.#topologies.entries()) {
      if (topology.isHard && topology.excess(domains[index]) > 0) return topology.constraint;
    }
    return undefined;
  }

  /** Between -100 and 100. A constraint weighs more than all that follow it. */
  #scoreOf({ domains }: Bucket): number {
    let packed = 0;
    let most = 0;
    for (const [index, topology] of this.#topologies.entries()) {
      if (topology.isHard) continue;
      packed = packed * (levels + 1) + Math.trunc(levels * topology.preference(domains[index]));
      most = most * (levels + 1) + levels;
    }
    return most === 0 ? 0 : Math.round((200 * packed) / most - 100) + 0;
  }

  #scored({ row, score }: Candidate, spread: number): Candidate {
    this.scores.set(row.name, spread);
    return { row, score: score + this.#weight * spread };
  }
}

/** Six bits for each of up to eight constraints: a double holds them exactly. */
const levels = 63;

/** Clusters without a key come last. */
function compare(a: Bucket, aScore: number, b: Bucket, bScore: number): number {
  if (a.lacksKey !== b.lacksKey) return a.lacksKey ? 1 : -1;
  if (aScore !== bScore) return bScore - aScore;
  return compareBytes(a.candidates[a.next]?.row.name ?? '', b.candidates[b.next]?.row.name ?? '');
}

function bucketsOf(ranked: readonly Candidate[], topologies: readonly Topology[]): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const candidate of ranked) {
    const domains = topologies.map((topology) => topology.domainOf(candidate.row));
    const key = stringifyJson(domains.map((domain) => domain?.value ?? null));
    const known = buckets.get(key);
    if (known !== undefined) known.candidates.push(candidate);
    else buckets.set(key, { domains, lacksKey: domains.includes(undefined), candidates: [candidate], next: 0 });
  }
  return [...buckets.values()];
}
