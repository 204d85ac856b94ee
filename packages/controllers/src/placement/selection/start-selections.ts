import { errorMessage, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { InformerSet, ServedKinds } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { PlaceableApis } from './placeable-apis.ts';
import { PlaceableNamespaces } from './placeable-namespaces.ts';
import { PlacementSelections } from './placement-selections.ts';
import type { SelectionRules } from './selecting-placement.ts';

export interface SelectionSettings {
  /** APIs that are never placed, beside the defaults: `group`, `group/version` or `group/version/Kind,Kind`, between semicolons. */
  readonly skippedApis?: string | undefined;
  /** The only APIs that are placed, in the same form. */
  readonly allowedApis?: string | undefined;
  /** Namespaces that are never placed, beside the defaults, between commas or semicolons. */
  readonly skippedNamespaces?: string | undefined;
  /** Whether workloads run on the hub, so that its PersistentVolumeClaims are theirs and not placed. Default: false. */
  readonly runsWorkloads?: boolean;
}

export interface SelectionDependencies {
  readonly served: ServedKinds;
  readonly informers: InformerSet;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly settings: SelectionSettings;
}

/** The selections of both families. They stop with the controllers that use them. */
export function startSelections({ settings, ...dependencies }: SelectionDependencies): PlacementSelections {
  return new PlacementSelections({ ...dependencies, rules: selectionRules(settings) });
}

/** The sentence for settings that cannot be read; undefined if all can. */
export function selectionProblem(settings: SelectionSettings): string | undefined {
  try {
    selectionRules(settings);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

function selectionRules(settings: SelectionSettings): SelectionRules {
  const { skippedApis, allowedApis, skippedNamespaces, runsWorkloads = false } = settings;
  return {
    apis: new PlaceableApis({ skipped: skippedApis, allowed: allowedApis }),
    namespaces: new PlaceableNamespaces(skippedNamespaces),
    runsWorkloads,
  };
}
