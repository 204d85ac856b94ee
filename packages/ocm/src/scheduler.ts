import type { ManagedCluster, OcmPlacementSpec } from '@flotilla/api';
import { compareBytes } from '@flotilla/kube';
import { ClusterRow } from './cluster-row.ts';
import { CompiledPlacement } from './compiled-placement.ts';
import { ExpressionCompiler } from './expressions/cluster-expressions.ts';
import type { ScoreLookup } from './expressions/managed-cluster-library.ts';
import type { PlacementOutcome } from './outcome.ts';
import type { DecisionCounts } from './prioritizers/prioritizer.ts';
import { runSchedule } from './run-schedule.ts';
import type { Measure } from './schedule.ts';

export interface PlacementRequest {
  /** Prepared once: to change it, replace it. */
  readonly spec: Readonly<OcmPlacementSpec>;
  /** The clusters of the sets that the Placement selects from. To change the list or a cluster in it, replace it. */
  readonly clusters: readonly Readonly<ManagedCluster>[];
  /** Clusters that the Placement has selected already. */
  readonly chosen: ReadonlySet<string>;
  readonly elsewhere: DecisionCounts;
  readonly scoreOf: ScoreLookup;
  readonly now: Date;
}

/** Decides which clusters OCM Placements select. The same request has the same outcome; what it keeps only saves time. */
export class PlacementScheduler {
  readonly #compiler: ExpressionCompiler;
  readonly #measure: Measure;
  readonly #placements = new WeakMap<OcmPlacementSpec, CompiledPlacement>();
  readonly #lists = new WeakMap<readonly Readonly<ManagedCluster>[], readonly ClusterRow[]>();
  readonly #rows = new WeakMap<Readonly<ManagedCluster>, ClusterRow>();
  #scoreOf: ScoreLookup = () => undefined;

  /** `measure` runs a plugin, and may take its time. */
  constructor(measure: Measure = (_type, _plugin, run) => run()) {
    this.#compiler = new ExpressionCompiler((cluster, name) => this.#scoreOf(cluster, name));
    this.#measure = measure;
  }

  /** Undefined if there is more to do than fits in a turn: repeat the request, and it continues. Never throws. */
  schedule({ spec, clusters, chosen, elsewhere, scoreOf, now }: PlacementRequest): PlacementOutcome | undefined {
    this.#scoreOf = scoreOf;
    return runSchedule({
      placement: this.#compiled(spec),
      rows: this.#rowsOf(clusters),
      chosen,
      elsewhere,
      scoreOf,
      now: now.getTime(),
      measure: this.#measure,
    });
  }

  #compiled(spec: Readonly<OcmPlacementSpec>): CompiledPlacement {
    const known = this.#placements.get(spec);
    if (known !== undefined) return known;
    const compiled = new CompiledPlacement(spec, this.#compiler);
    this.#placements.set(spec, compiled);
    return compiled;
  }

  /** In the order of their names. */
  #rowsOf(clusters: readonly Readonly<ManagedCluster>[]): readonly ClusterRow[] {
    const known = this.#lists.get(clusters);
    if (known !== undefined) return known;
    const rows = clusters.map((cluster) => this.#row(cluster)).sort((a, b) => compareBytes(a.name, b.name));
    this.#lists.set(clusters, rows);
    return rows;
  }

  #row(cluster: Readonly<ManagedCluster>): ClusterRow {
    const known = this.#rows.get(cluster);
    if (known !== undefined) return known;
    const row = new ClusterRow(cluster);
    this.#rows.set(cluster, row);
    return row;
  }
}
