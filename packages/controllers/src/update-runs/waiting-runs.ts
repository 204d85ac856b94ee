import type { PlacementFamily } from '@flotilla/api';
import { keyText, type ObjectKey } from '@flotilla/kube';
import type { Source } from '@flotilla/runtime';
import type { Selections } from '../placement/selection/selection.ts';

/** Runs that wait until the selection of their placement shows the latest changes. */
export class WaitingRuns {
  readonly #runs = new Map<string, ObjectKey[]>();

  add(placement: ObjectKey, run: ObjectKey): void {
    const text = keyText(placement);
    this.#runs.set(text, [...(this.#runs.get(text) ?? []).filter((one) => keyText(one) !== keyText(run)), run]);
  }

  /** Wakes the runs of the placements that the selections wake. */
  source(selections: Selections, family: PlacementFamily): Source {
    const source = selections.source(family);
    return {
      ...source,
      subscribe: (wake) =>
        source.subscribe((placement) => {
          const runs = this.#runs.get(keyText(placement)) ?? [];
          this.#runs.delete(keyText(placement));
          for (const run of runs) wake(run);
        }),
    };
  }
}
