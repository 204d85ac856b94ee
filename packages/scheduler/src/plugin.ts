/** Rules of users, beside ours. A plugin is data: a name and pure functions over the same clusters that our rules see. */
import type { MemberCluster, PlacementPolicy, Taint } from '@flotilla/api';
import { errorMessage } from '@flotilla/kube';
import type { ClusterRow } from './cluster-row.ts';
import type { Explanation, Rule } from './rules/rule.ts';
import { limitedText } from './rules/size-limits.ts';

/** What a plugin sees of a cluster. */
export interface ClusterFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** The whole object; must not be changed. */
  readonly cluster: Readonly<MemberCluster>;
  /** The value of a property as a number; undefined if the cluster does not report it, or not as a quantity. */
  number(property: string): number | undefined;
}

/** What a plugin sees of a placement. */
export interface PlacementFacts {
  /** Undefined for a ClusterResourcePlacement. */
  readonly namespace: string | undefined;
  readonly policy: Readonly<PlacementPolicy>;
  readonly now: Date;
}

export interface SchedulerPlugin {
  readonly name: string;
  /** Returns undefined or true if the cluster may be chosen, else the reason why not. */
  readonly filter?: (cluster: ClusterFacts, placement: PlacementFacts) => string | true | undefined;
  /** For PickN: a number that is rounded and added to the affinity score. */
  readonly score?: (cluster: ClusterFacts, placement: PlacementFacts) => number;
}

/** The affinity score of a cluster must stay an int32, whatever plugins return. */
const maxScore = 1_000_000;

/** Keeps what a plugin did wrong apart from a reason that it gave. */
class Fault {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

abstract class PluginRule implements Rule {
  readonly plugin: string;
  readonly keepsDomains = false;

  constructor(plugin: string) {
    this.plugin = plugin;
  }

  abstract reject(row: ClusterRow): string | Fault | undefined;

  explain(rejection: unknown): Explanation {
    const isFault = rejection instanceof Fault;
    const reason = isFault ? `scheduler plugin ${this.plugin} ${rejection.text}` : String(rejection);
    return { reasons: [limitedText(reason)], evidence: { kind: 'plugin', plugin: this.plugin, isFault } };
  }
}

/** A plugin that fails rejects the cluster: choosing it could be what the plugin is there to prevent. */
export class PluginFilter extends PluginRule {
  readonly #filter: NonNullable<SchedulerPlugin['filter']>;
  readonly #placement: PlacementFacts;

  constructor(plugin: string, filter: NonNullable<SchedulerPlugin['filter']>, placement: PlacementFacts) {
    super(plugin);
    this.#filter = filter;
    this.#placement = placement;
  }

  reject(row: ClusterRow): string | Fault | undefined {
    try {
      const answer: unknown = this.#filter(row, this.#placement);
      if (answer === undefined || answer === true) return undefined;
      if (typeof answer === 'string' && answer !== '') return answer;
      return new Fault('returned neither true nor a reason');
    } catch (error) {
      return new Fault(`failed: ${errorMessage(error)}`);
    }
  }
}

/** Runs a plugin's score where its failures can still reject the cluster. */
export class PluginScore extends PluginRule {
  readonly #score: NonNullable<SchedulerPlugin['score']>;
  readonly #placement: PlacementFacts;
  readonly #scores = new Map<ClusterRow, number>();

  constructor(plugin: string, score: NonNullable<SchedulerPlugin['score']>, placement: PlacementFacts) {
    super(plugin);
    this.#score = score;
    this.#placement = placement;
  }

  reject(row: ClusterRow): Fault | undefined {
    try {
      const score: unknown = this.#score(row, this.#placement);
      if (typeof score !== 'number' || !(Math.abs(score) <= maxScore)) {
        return new Fault(`returned no number between ${-maxScore} and ${maxScore}`);
      }
      this.#scores.set(row, Math.round(score));
      return undefined;
    } catch (error) {
      return new Fault(`failed: ${errorMessage(error)}`);
    }
  }

  /** Of a cluster that it did not reject. */
  scoreOf(row: ClusterRow): number {
    return this.#scores.get(row) ?? 0;
  }
}
