import type { OcmPlacement } from '@flotilla/api';
import type { DebugReport } from './debug-report.ts';

/** Undefined if there is more to do than fits in a turn: ask again, and it continues. */
export type ExplainPlacement = (placement: Readonly<OcmPlacement>) => DebugReport | undefined;

/** Connects the debug endpoint with the controller, which starts after it. */
export class PlacementDebug {
  #explain: ExplainPlacement | undefined;

  /** Called by the controller. */
  attach(explain: ExplainPlacement): void {
    this.#explain = explain;
  }

  /** Undefined while the controller does not run, or is not ready. */
  get explain(): ExplainPlacement | undefined {
    return this.#explain;
  }
}
