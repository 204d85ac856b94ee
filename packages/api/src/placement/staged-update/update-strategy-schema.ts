import { s, type Infer, type ValidationRule } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { placementCategories } from '../../groups.ts';
import type { SchemaDifference } from '../../schema-difference.ts';
import { labelSelector } from '../parts/selectors.ts';
import { clusterStagedUpdateStrategies, stagedUpdateStrategies } from './staged-update.ts';

export const taskType = s.oneOf(['TimedWait', 'Approval'], 'Whether to wait for a time, or for an approval.');

const waitTime = 'How long TimedWait waits, such as 90m or 1h30m.';

const stageTask = s.object('A task before the update continues.', {
  type: taskType,
  waitTime: s.optional(s.string(waitTime, { pattern: '^(?:(?:0|[1-9][0-9]*)(\\.[0-9]+)?(?:s|m|h))+$' })),
});

const approvalsDoNotWait: ValidationRule = {
  rule: "!self.exists(e, e.type == 'Approval' && has(e.waitTime))",
  message: 'AfterStageTaskType is Approval, waitTime is not allowed',
};

export const updateStage = s.object('Clusters that are updated together.', {
  name: s.string('Unique name of the stage.', { maxLength: 63, pattern: '^[a-z0-9]+$' }),
  labelSelector: s.optional(
    labelSelector('Selects the clusters of the stage: none if absent, all if empty. No cluster may be in two stages.'),
  ),
  sortingLabelKey: s.optional(
    s.string(
      'Label with an integer that every cluster of the stage must have: the smallest comes first. If absent, clusters are ordered by name.',
    ),
  ),
  maxConcurrency: s.withDefault(
    s.intOrString('How many clusters to update at once: a number, or a percentage of the stage, rounded down.', {
      pattern: '^(100|[1-9][0-9]?)%$',
      rules: [{ rule: 'self == null || type(self) != int || self >= 1', message: 'maxConcurrency must be at least 1' }],
    }),
    1,
  ),
  beforeStageTasks: s.optional(
    s.list(stageTask, 'Tasks before the first cluster is updated.', {
      maxItems: 1,
      rules: [
        approvalsDoNotWait,
        { rule: "!self.exists(e, e.type == 'TimedWait')", message: 'BeforeStageTaskType cannot be TimedWait' },
      ],
    }),
  ),
  afterStageTasks: s.optional(
    s.list(stageTask, 'Tasks before the next stage starts.', {
      maxItems: 2,
      rules: [
        approvalsDoNotWait,
        {
          rule: "!self.exists(e, e.type == 'TimedWait' && !has(e.waitTime))",
          message: 'AfterStageTaskType is TimedWait, waitTime is required',
        },
      ],
    }),
  ),
});

/** Used by strategies, and copied into runs. */
export const updatePlan = s.object('The stages of an update.', {
  stages: s.list(updateStage, 'The stages, in order.', { maxItems: 31 }),
});

/** The differences of a plan in this field in v1alpha1: no tasks before stages, and a wait time of zero is allowed. */
export function planInV1alpha1(field: string) {
  const stage = `${field}.stages[]`;
  const wait = s.string(waitTime, { pattern: '^(?:0|(?:(?:0|[1-9][0-9]*)(\\.[0-9]+)?(?:s|m|h))+)$' });
  return {
    lacks: [`${stage}.maxConcurrency`, `${stage}.beforeStageTasks`],
    differs: { [`${stage}.afterStageTasks[].waitTime`]: s.optional(wait) },
    rules: { [`${stage}.afterStageTasks`]: [] },
  } satisfies SchemaDifference;
}

export type UpdatePlan = Infer<typeof updatePlan>;
export type UpdateStage = Infer<typeof updateStage>;
export type StageTask = Infer<typeof stageTask>;
export type StageTaskType = Infer<typeof taskType>;

const declared = { categories: placementCategories, fields: { spec: updatePlan } };

export const clusterStagedUpdateStrategyDefinition = defineVersions(clusterStagedUpdateStrategies, {
  ...declared,
  description: 'Stages for updates of ClusterResourcePlacements; many runs can share them.',
  shortNames: ['csus'],
  // The kind has no status, yet KubeFleet serves the subresource.
  subresources: { status: {} },
  versions: { v1: {}, v1alpha1: planInV1alpha1('spec'), v1beta1: {} },
});

export const stagedUpdateStrategyDefinition = defineVersions(stagedUpdateStrategies, {
  ...declared,
  description: 'Stages for updates of the ResourcePlacements of its namespace; many runs can share them.',
  shortNames: ['sus'],
  versions: { v1: {}, v1beta1: {} },
});
