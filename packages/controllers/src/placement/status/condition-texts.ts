/** The reasons and messages of a placement's conditions, word for word as KubeFleet writes them. */
import { placementReasons as reasons, type PlacementAspect } from '@flotilla/api';

/** What a placement waits for on a cluster after it was scheduled there. */
export type RolloutAspect = Exclude<PlacementAspect, 'scheduled' | 'statusSynced' | 'statusTrimmed'>;

export interface Text {
  readonly reason: string;
  readonly message: string;
}

interface AspectTexts {
  /** On a cluster whose binding says nothing yet. The reason is that of `unknown`. */
  readonly pending: string;
  /** On the placement, for this number of clusters. */
  readonly unknown: (clusters: number) => Text;
  readonly false: (clusters: number) => Text;
  readonly true: (clusters: number) => Text;
}

/** In the order in which a placement passes them. */
export const rolloutTexts: Readonly<Record<RolloutAspect, AspectTexts>> = {
  rolloutStarted: {
    pending: 'In the process of deciding whether to roll out some version of the resources or not',
    unknown: (clusters) => ({
      reason: reasons.rolloutUnknown,
      message: `There are still ${clusters} cluster(s) in the process of deciding whether to roll out the latest resources or not`,
    }),
    false: (clusters) => ({
      reason: reasons.rolloutNotStarted,
      message: `The rollout is being blocked by the rollout strategy in ${clusters} cluster(s)`,
    }),
    true: (clusters) => ({
      reason: reasons.rolloutStarted,
      message: `All ${clusters} cluster(s) start rolling out the latest resource`,
    }),
  },
  overridden: {
    pending: 'In the process of overriding the selected resources if there is any override defined',
    unknown: (clusters) => ({
      reason: reasons.overridePending,
      message: `There are still ${clusters} cluster(s) in the process of overriding the selected resources if there is any override defined`,
    }),
    false: (clusters) => ({
      reason: reasons.overrideFailed,
      message: `Failed to override resources in ${clusters} cluster(s)`,
    }),
    true: (clusters) => ({
      reason: reasons.overridden,
      message: `The selected resources are successfully overridden in ${clusters} cluster(s)`,
    }),
  },
  workSynchronized: {
    pending: 'In the process of creating or updating the work object(s) in the hub cluster',
    unknown: (clusters) => ({
      reason: reasons.workSyncUnknown,
      message: `There are still ${clusters} cluster(s) in the process of creating or updating the work object(s) in the hub cluster`,
    }),
    false: (clusters) => ({
      reason: reasons.workNotSynced,
      message: `There are ${clusters} cluster(s) which have not finished creating or updating work(s) yet`,
    }),
    true: (clusters) => ({
      reason: reasons.workSynced,
      message: `Work(s) are successfully created or updated in ${clusters} target cluster(s)' namespaces`,
    }),
  },
  applied: {
    pending: 'In the process of applying the resources on the member cluster',
    unknown: (clusters) => ({
      reason: reasons.applyPending,
      message: `There are still ${clusters} cluster(s) in the process of applying the resources on the member cluster`,
    }),
    false: (clusters) => ({
      reason: reasons.applyFailed,
      message: `Failed to apply resources to ${clusters} cluster(s), please check the \`failedPlacements\` status`,
    }),
    true: (clusters) => ({
      reason: reasons.applied,
      message: `The selected resources are successfully applied to ${clusters} cluster(s)`,
    }),
  },
  available: {
    // The blank at the end is on the wire.
    pending: 'The availability of the selected resources is unknown yet ',
    unknown: (clusters) => ({
      reason: reasons.availableUnknown,
      message: `There are still ${clusters} cluster(s) in the process of checking the availability of the selected resources`,
    }),
    false: (clusters) => ({
      reason: reasons.notAvailable,
      message: `The selected resources in ${clusters} cluster(s) are still not available yet`,
    }),
    true: (clusters) => ({
      reason: reasons.available,
      message: `The selected resources in ${clusters} cluster(s) are available now`,
    }),
  },
  diffReported: {
    pending: 'Diff reporting has just started; its status is not yet to be known',
    unknown: (clusters) => ({
      reason: reasons.diffPending,
      message: `There are still ${clusters} cluster(s) in the process of checking for configuration differences`,
    }),
    false: (clusters) => ({
      reason: reasons.diffIncomplete,
      message: `Diff reporting in ${clusters} clusters is still in progress or has failed`,
    }),
    true: (clusters) => ({
      reason: reasons.diffReported,
      message: `Diff reporting in ${clusters} cluster(s) has been completed`,
    }),
  },
};

/** Instead of the text for True, if no cluster has an override. */
export const noOverrideText: Text = {
  reason: reasons.noOverride,
  message: 'No override rules are configured for the selected resources',
};

export const schedulePendingText: Text = {
  reason: reasons.schedulePending,
  message: 'Scheduling has not completed',
};

/** On a cluster that still has older resources, because the rollout strategy does not allow more clusters at once. */
export const rolloutBlockedText: Text = {
  reason: reasons.rolloutNotStarted,
  message: 'The rollout is being blocked by the rollout strategy',
};

const externally = 'Rollout is controlled by an external controller and';

/** RolloutStarted of a placement whose rollout is left to update runs. */
export const externalTexts = {
  differs: `${externally} different resource snapshot versions are observed across clusters`,
  none: (updateRun: string) =>
    `${externally} no resource snapshot name is observed across clusters. To determine rollout status, check the ${updateRun} resources with spec.placementName matching this placement`,
  unknownOn: (cluster: string) => `${externally} cluster ${cluster} is in RolloutStarted Unknown state`,
} as const;

const whenApplied: readonly RolloutAspect[] = [
  'rolloutStarted',
  'overridden',
  'workSynchronized',
  'applied',
  'available',
];
const whenDiffReported: readonly RolloutAspect[] = ['rolloutStarted', 'overridden', 'workSynchronized', 'diffReported'];

/** The conditions that a placement passes, in order. */
export function expectedAspects(applyStrategyType: string | undefined): readonly RolloutAspect[] {
  return applyStrategyType === 'ReportDiff' ? whenDiffReported : whenApplied;
}
