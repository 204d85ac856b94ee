/** The stages of the hub's controllers, and which of them run. */
import { clusterFamily, families, overrideFamilies, type PlacementFamily } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { once, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Controller, InformerSet, ServedKinds } from '@flotilla/runtime';
import { defaultTimeouts } from '@flotilla/scheduler';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { backReportController, type ServedKind } from './back-report/controller.ts';
import { clusterProfileController } from './cluster-profile/controller.ts';
import { clusterSetControllers } from './cluster-sets/controllers.ts';
import { clustersController } from './clusters/controller.ts';
import { defaultMembership } from './clusters/member-state.ts';
import { evictionController } from './disruption/controller.ts';
import { StartedRollouts } from './family/started-rollouts.ts';
import type { HubSettings } from './hub-settings.ts';
import { availabilityController } from './managed-clusters/availability/controller.ts';
import { mirrorController } from './managed-clusters/mirror/controller.ts';
import { ocmPlacementController } from './ocm-placement/controller.ts';
import type { PlacementDebug } from './ocm-placement/placement-debug.ts';
import { measureScheduling } from './ocm-placement/placement-metrics.ts';
import { overridesController } from './overrides/controller.ts';
import { placementController } from './placement/controller.ts';
import type { Selections } from './placement/selection/selection.ts';
import { startSelections } from './placement/selection/start-selections.ts';
import type { IsClusterScoped } from './overrides/resource-identity.ts';
import { rolloutController } from './rollout/controller.ts';
import { updateRunController } from './update-runs/controller.ts';
import { worksControllers } from './works/controller.ts';
import { RecentReports } from './works/recent-reports.ts';
import { statusMirrorController } from './placement/status-mirror/controller.ts';
import { schedulingControllers } from './scheduling/controller.ts';
import { observeScheduling } from './scheduling/scheduling-metrics.ts';

/** What a stage may need to make its controllers. */
export interface StageDependencies {
  readonly client: Client;
  readonly informers: InformerSet;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly settings: HubSettings;
  readonly startedAt: Date;
  readonly served: ServedKinds;
  /** Of the hub's kinds. */
  readonly isClusterScoped: IsClusterScoped;
  readonly servedKind: ServedKind;
  readonly families: readonly PlacementFamily[];
  readonly started: StartedRollouts;
  readonly placementDebug: PlacementDebug;
  /** Of all placements; started with the first stage that needs them. */
  readonly selections: () => Selections;
}

interface Stage {
  /** For `--controllers`. */
  readonly name: string;
  readonly controllers: (dependencies: StageDependencies) => readonly Controller[];
}

const stages: readonly Stage[] = [
  { name: 'clusters', controllers: ({ settings }) => [clustersController({ ...defaultMembership, ...settings })] },
  {
    name: 'cluster-profiles',
    controllers: ({ settings: { unhealthyAfterMs = 60_000, clusterProfiles = true }, startedAt }) =>
      clusterProfiles ? [clusterProfileController({ unhealthyAfterMs, listeningSince: startedAt })] : [],
  },
  {
    name: 'managed-clusters',
    controllers: ({ settings: { isOcmInstalled = false }, startedAt }) => [
      mirrorController({ listeningSince: startedAt, isAccepted: !isOcmInstalled }),
    ],
  },
  { name: 'cluster-sets', controllers: () => clusterSetControllers() },
  {
    name: 'cluster-availability',
    controllers: ({ startedAt }) => [availabilityController({ listeningSince: startedAt })],
  },
  {
    name: 'placement',
    controllers: (dependencies) => {
      const { minSnapshotIntervalMs = 0, collectChangesMs = 0, controllers } = dependencies.settings;
      const isWithScheduling = isStageEnabled('scheduling', controllers);
      const settings = { minSnapshotIntervalMs, collectChangesMs, isWithScheduling };
      const selections = dependencies.selections();
      return dependencies.families.map((family) =>
        placementController(family, { ...dependencies, selections, settings }),
      );
    },
  },
  {
    name: 'scheduling',
    controllers: (dependencies) => {
      const { settings: given, clock, metrics, isClusterScoped, families: enabled } = dependencies;
      const started = startedBesideWorks(dependencies);
      const { eligibility, schedulerPlugins: plugins = [], controllers, isOcmInstalled = false } = given;
      const settings = { timeouts: { ...defaultTimeouts, ...eligibility }, plugins };
      return schedulingControllers({
        settings,
        clock,
        observer: observeScheduling(metrics),
        families: enabled,
        rollout: started && isStageEnabled('rollout', controllers) ? { isClusterScoped, started } : undefined,
        // OCM's controller may write the decisions.
        readsOcmDecisions: isOcmInstalled || isStageEnabled('ocm-placement', controllers),
      });
    },
  },
  { name: 'overrides', controllers: () => overrideFamilies.map(overridesController) },
  {
    name: 'rollout',
    controllers: (dependencies) => {
      const { isClusterScoped, families: enabled } = dependencies;
      const started = startedBesideWorks(dependencies);
      return enabled.map((family) => rolloutController(family, { isClusterScoped, started }));
    },
  },
  {
    name: 'update-runs',
    controllers: (dependencies) => {
      const { isClusterScoped, selections, families: enabled, settings: given } = dependencies;
      const { requiresSameStrategy = false, stuckAfterMs = 5 * 60_000 } = given;
      const settings = { requiresSameStrategy, stuckAfterMs };
      const started = startedBesideWorks(dependencies);
      return enabled.map((family) =>
        updateRunController(family, { isClusterScoped, selections: selections(), started, settings }),
      );
    },
  },
  {
    name: 'works',
    controllers: ({ isClusterScoped, clock, started, families: enabled, settings: given }) => {
      const { clusterScopedInConfigMaps = false } = given;
      const watched = { started, reports: new RecentReports(clock), clock };
      return worksControllers(enabled, { isClusterScoped, clusterScopedInConfigMaps }, watched);
    },
  },
  {
    name: 'evictions',
    controllers: ({ settings: { evictionTtlMs = 86_400_000 } }) => [evictionController({ ttlMs: evictionTtlMs })],
  },
  {
    name: 'ocm-placement',
    controllers: ({ metrics, clock, placementDebug: debug }) => [
      ocmPlacementController({ meter: measureScheduling(metrics, clock), clock, debug }),
    ],
  },
  { name: 'status-mirror', controllers: () => [statusMirrorController()] },
  { name: 'back-report', controllers: ({ servedKind }) => [backReportController(servedKind)] },
];

/** Undefined if the stage `works` runs elsewhere, or not at all: then nothing may be left to it. */
function startedBesideWorks({ started, settings }: StageDependencies): StartedRollouts | undefined {
  return isStageEnabled('works', settings.controllers) ? started : undefined;
}

/** The stages of OCM's kinds. */
export const ocmStages: readonly string[] = [
  'managed-clusters',
  'cluster-sets',
  'cluster-availability',
  'ocm-placement',
];

/** Those of them that do what OCM's own controllers do. */
const stagesOfOcm: readonly string[] = ['cluster-sets', 'cluster-availability', 'ocm-placement'];

const every = '*';

/** The entries of a list as users write it. */
export function stageList(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim());
}

/** The sentence for a list with an unknown name; undefined if all are known. */
export function stagesProblem(list: readonly string[]): string | undefined {
  const known = stages.map(({ name }) => name);
  const unknown = list.find((entry) => entry !== every && !known.includes(withoutDash(entry)));
  if (unknown === undefined) return undefined;
  return `"${unknown}" is not a controller; write ${every}, or some of ${known.join(', ')}, each with a dash before it to leave it out`;
}

/** Entries to put before a list: the first mention of a name wins. */
export function disabledStagesOf(features: {
  readonly updateRuns: boolean;
  readonly evictions: boolean;
}): readonly string[] {
  return [...(features.updateRuns ? [] : ['-update-runs']), ...(features.evictions ? [] : ['-evictions'])];
}

/** The list for a server that OCM runs on: leaves its work to it, unless the list names a stage. */
export function stagesBesideOcm(list: readonly string[] = [every]): readonly string[] {
  return [...list, ...stagesOfOcm.map((name) => `-${name}`)];
}

/** The names of the stages that run, and of those that are left to OCM. */
export interface StageNames {
  readonly running: readonly string[];
  readonly leftToOcm: readonly string[];
}

export function stageNames({ controllers, isOcmInstalled = false }: HubSettings): StageNames {
  const running = stages.map(({ name }) => name).filter((name) => isStageEnabled(name, controllers));
  return { running, leftToOcm: isOcmInstalled ? stagesOfOcm.filter((name) => !running.includes(name)) : [] };
}

/** As kube-controller-manager reads its list: a name wins over `*`, the first mention of a name over later ones. */
export function isStageEnabled(name: string, list: readonly string[] = [every]): boolean {
  const mention = list.find((entry) => entry === name || entry === `-${name}`);
  return mention === undefined ? list.includes(every) : mention === name;
}

export function enabledControllers(
  given: Omit<StageDependencies, 'selections' | 'families' | 'started'>,
): Controller[] {
  const enabled = stages.filter(({ name }) => isStageEnabled(name, given.settings.controllers));
  const { resourcePlacements = true } = given.settings;
  const dependencies = {
    ...given,
    families: resourcePlacements ? families : [clusterFamily],
    started: new StartedRollouts(given.clock),
    selections: once(() => startSelections(given)),
  };
  return enabled.flatMap(({ controllers }) => controllers(dependencies));
}

function withoutDash(entry: string): string {
  return entry.startsWith('-') ? entry.slice(1) : entry;
}
