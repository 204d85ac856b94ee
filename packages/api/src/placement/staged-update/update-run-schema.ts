import { s, type Infer, type PrinterColumn, type ValidationRule } from '@flotilla/schema';
import { defineVersions, type VersionDifference } from '../../define-versions.ts';
import { placementCategories } from '../../groups.ts';
import { applyStrategy } from '../../parts/apply-strategy.ts';
import { age, conditionColumn, field, wide } from '../../parts/columns.ts';
import { condition } from '../../parts/condition.ts';
import { overrideSnapshots } from '../parts/placement-status.ts';
import { clusterStagedUpdateRuns, stagedUpdateRuns } from './staged-update.ts';
import { planInV1alpha1, taskType, updatePlan } from './update-strategy-schema.ts';

const clusterUpdatingStatus = s.object('Progress of one cluster.', {
  clusterName: s.string('The cluster.'),
  ...overrideSnapshots,
  conditions: s.optional(s.listByKey('type', condition, 'Whether its update has started, and whether it succeeded.')),
});

const stageTaskStatus = s.object('Progress of one task.', {
  type: taskType,
  approvalRequestName: s.optional(s.string('The approval request of the task.')),
  conditions: s.optional(
    s.listByKey('type', condition, 'Whether the request was made and approved, or the time has passed.'),
  ),
});

const stageFields = {
  stageName: s.string('The stage.'),
  clusters: s.list(clusterUpdatingStatus, 'Its clusters, in the order in which they are updated.'),
  beforeStageTaskStatus: s.optional(s.list(stageTaskStatus, 'The tasks before the stage.', { maxItems: 1 })),
  afterStageTaskStatus: s.optional(s.list(stageTaskStatus, 'The tasks after the stage.', { maxItems: 2 })),
  startTime: s.optional(s.dateTime('When the stage started.')),
  endTime: s.optional(s.dateTime('When the stage ended, successfully or not.')),
  conditions: s.optional(s.listByKey('type', condition, 'Whether the stage goes on, and whether it succeeded.')),
};

export const stageStatus = s.object('Progress of one stage.', stageFields);

/** Comes after all stages. */
const deletionStageStatus = s.object('Progress of the clusters that lose the resources.', stageFields);

export type StageStatus = Infer<typeof stageStatus>;
export type ClusterUpdatingStatus = Infer<typeof clusterUpdatingStatus>;
export type StageTaskStatus = Infer<typeof stageTaskStatus>;

const snapshotIndex = 'Index of the resource snapshot for the clusters';

/** KubeFleet cannot abandon a run: the state and this rule are our additions. */
const abandonedIsFinal: ValidationRule = {
  rule: "oldSelf != 'Abandoned' || self == 'Abandoned'",
  message: 'invalid state transition: Abandoned is a terminal state and cannot transition to any other state',
};

export const updateRunSpec = s.object(
  'The placement, the strategy, and the state of the run.',
  {
    placementName: s.string('The placement.', { maxLength: 255, rules: [isImmutable('placementName')] }),
    resourceSnapshotIndex: s.optional(
      s.string(`${snapshotIndex}; what is selected now when absent.`, {
        rules: [isImmutable('resourceSnapshotIndex')],
      }),
    ),
    stagedRolloutStrategyName: s.string('The strategy, which defines the stages.', {
      rules: [isImmutable('stagedRolloutStrategyName')],
    }),
    state: s.withDefault(
      s.oneOf(
        ['Initialize', 'Run', 'Stop', 'Abandoned'],
        'Initialize prepares the run, Run starts or resumes it, Stop pauses it, Abandoned ends it permanently.',
        { rules: [abandonedIsFinal] },
      ),
      'Initialize',
    ),
  },
  {
    rules: [
      forbiddenTransition('Initialize', 'Stop'),
      forbiddenTransition('Run', 'Initialize'),
      forbiddenTransition('Stop', 'Initialize'),
    ],
  },
);

function isImmutable(name: string): ValidationRule {
  return { rule: 'self == oldSelf', message: `${name} is immutable` };
}

function forbiddenTransition(from: string, to: string): ValidationRule {
  return {
    rule: `!(has(oldSelf.state) && oldSelf.state == '${from}' && self.state == '${to}')`,
    message: `invalid state transition: cannot transition from ${from} to ${to}`,
  };
}

export const updateRunStatus = s.object('Progress of the run.', {
  policySnapshotIndexUsed: s.optional(s.string('Index of the policy snapshot whose clusters are updated.')),
  policyObservedClusterCount: s.optional(s.integer('The number of clusters of that policy.')),
  resourceSnapshotIndexUsed: s.optional(s.string(`${snapshotIndex}.`)),
  appliedStrategy: s.optional(applyStrategy),
  stagedUpdateStrategySnapshot: s.optional(updatePlan),
  stagesStatus: s.optional(s.list(stageStatus, 'The stages, in the order of the strategy.')),
  deletionStageStatus: s.optional(deletionStageStatus),
  conditions: s.optional(
    s.listByKey('type', condition, 'Whether the run is prepared, goes on, and whether it succeeded.'),
  ),
});

function nameShorterThan(length: number): readonly ValidationRule[] {
  return [{ rule: `size(self.metadata.name) < ${length}`, message: `metadata.name max length is ${length - 1}` }];
}

function columnsWith(...progress: readonly PrinterColumn[]): readonly PrinterColumn[] {
  return [
    field('Placement', '.spec.placementName'),
    field('Resource-Snapshot-Index', '.spec.resourceSnapshotIndex'),
    field('Policy-Snapshot-Index', '.status.policySnapshotIndexUsed'),
    conditionColumn('Initialized', 'Initialized'),
    ...progress,
    conditionColumn('Succeeded', 'Succeeded'),
    age,
    wide(field('Strategy', '.spec.stagedRolloutStrategyName')),
  ];
}

const plan = planInV1alpha1('status.stagedUpdateStrategySnapshot');

/** In v1alpha1 a run cannot be stopped, and its spec is immutable. */
const v1alpha1: VersionDifference = {
  lacks: [
    ...plan.lacks,
    'spec.state',
    'status.resourceSnapshotIndexUsed',
    'status.stagesStatus[].beforeStageTaskStatus',
    'status.deletionStageStatus.beforeStageTaskStatus',
  ],
  differs: { ...plan.differs, 'spec.resourceSnapshotIndex': s.string(`${snapshotIndex}.`) },
  rules: {
    ...plan.rules,
    '': nameShorterThan(128),
    spec: [{ rule: 'self == oldSelf', message: 'The spec field is immutable' }],
    'spec.placementName': [],
    'spec.stagedRolloutStrategyName': [],
  },
  columns: columnsWith(),
};

const declared = {
  categories: placementCategories,
  fields: { spec: updateRunSpec, status: s.optional(updateRunStatus) },
  rules: nameShorterThan(64),
  subresources: { status: {} },
  columns: columnsWith(conditionColumn('Progressing', 'Progressing')),
};

export const clusterStagedUpdateRunDefinition = defineVersions(clusterStagedUpdateRuns, {
  ...declared,
  description: 'Updates the clusters of a ClusterResourcePlacement, stage by stage.',
  shortNames: ['csur'],
  versions: { v1: {}, v1alpha1, v1beta1: {} },
});

export const stagedUpdateRunDefinition = defineVersions(stagedUpdateRuns, {
  ...declared,
  description: 'Updates the clusters of a ResourcePlacement of its namespace, stage by stage.',
  shortNames: ['sur'],
  versions: { v1: {}, v1beta1: {} },
});
