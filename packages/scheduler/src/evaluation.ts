import { once } from '@flotilla/kube';
import type { ClusterRow } from './cluster-row.ts';
import type { ClusterView } from './cluster-view.ts';
import type { CompiledPolicy, RuleContext } from './compiled-policy.ts';
import type { PluginScore } from './plugin.ts';
import type { Rejection, Rule, ScorePart, Support } from './rules/rule.ts';

/** What the rules say about every cluster, by its position in the view. */
export class Evaluation {
  readonly view: ClusterView;
  readonly #policy: CompiledPolicy;
  readonly #scores: readonly PluginScore[];
  readonly #preferredParts: () => ((row: ClusterRow) => ScorePart[]) | undefined;
  readonly #rules: readonly Rule[];
  /** Position of the rule that rejects the cluster, plus one; 0 if it passes. */
  readonly #rejectedBy: Uint16Array;
  readonly #rejections: unknown[] = [];
  /** Of clusters that pass. */
  readonly affinityScores: Float64Array;

  constructor(policy: CompiledPolicy, view: ClusterView, context: RuleContext) {
    const { rules, scores } = policy.rules(context);
    this.view = view;
    this.#policy = policy;
    this.#scores = scores;
    this.#preferredParts = once(() => policy.preferred?.explainer(view));
    this.#rules = rules;
    this.#rejectedBy = new Uint16Array(view.rows.length);
    this.affinityScores = new Float64Array(view.rows.length);
    const preferred = policy.preferred?.scorer(view);
    for (const [position, row] of view.rows.entries()) {
      this.#rejections.push(this.#firstRejection(position, row));
      if (!this.passes(position)) continue;
      let score = preferred?.(row) ?? 0;
      for (const plugin of scores) score += plugin.scoreOf(row);
      this.affinityScores[position] = score;
    }
  }

  passes(position: number): boolean {
    return this.#rejectedBy[position] === 0;
  }

  /** Whether the label of the cluster is a topology domain, even if none of its clusters has been chosen. */
  formsDomains(position: number): boolean {
    const row = this.view.rows[position];
    if (row === undefined || this.passes(position)) return row !== undefined;
    return this.#rules.every((rule) => rule.keepsDomains || rule.reject(row) === undefined);
  }

  /** Why the cluster does not pass; undefined if it does. */
  explain(position: number): Rejection | undefined {
    const rule = this.#rules[(this.#rejectedBy[position] ?? 0) - 1];
    const row = this.view.rows[position];
    if (rule === undefined || row === undefined) return undefined;
    return { plugin: rule.plugin, ...rule.explain(this.#rejections[position], row) };
  }

  /** Why the rules after the first that rejects the cluster reject it, too. */
  explainOthers(position: number): Rejection[] {
    const row = this.view.rows[position];
    const first = this.#rejectedBy[position] ?? 0;
    if (row === undefined || first === 0) return [];
    return this.#rules.slice(first).flatMap((rule) => {
      const rejection = rule.reject(row);
      return rejection === undefined ? [] : [{ plugin: rule.plugin, ...rule.explain(rejection, row) }];
    });
  }

  /** What speaks for a cluster; undefined if it does not pass. */
  support(position: number): Support | undefined {
    const row = this.view.rows[position];
    if (row === undefined || !this.passes(position)) return undefined;
    const match = this.#policy.required?.match(row);
    const plugins = this.#scores.map((one) => ({ plugin: one.plugin, score: one.scoreOf(row) }));
    const scores = [...(this.#preferredParts()?.(row) ?? []), ...plugins.filter(({ score }) => score !== 0)];
    return { ...(match && { match }), scores };
  }

  #firstRejection(position: number, row: ClusterRow): unknown {
    let number = 0;
    for (const rule of this.#rules) {
      number++;
      const rejection = rule.reject(row);
      if (rejection === undefined) continue;
      this.#rejectedBy[position] = number;
      return rejection;
    }
    return undefined;
  }
}
