import type { Kind, KubeObject } from '@flotilla/kube';
import { placementApi } from '../../groups.ts';
import type { UpdatePlan } from './update-stage.ts';

/** The stages that update runs go through. */
export interface UpdateStrategy extends KubeObject {
  spec: UpdatePlan;
}

export const clusterStagedUpdateStrategies: Kind<UpdateStrategy> = {
  ...placementApi,
  kind: 'ClusterStagedUpdateStrategy',
  plural: 'clusterstagedupdatestrategies',
  namespaced: false,
};

export const stagedUpdateStrategies: Kind<UpdateStrategy> = {
  ...placementApi,
  kind: 'StagedUpdateStrategy',
  plural: 'stagedupdatestrategies',
  namespaced: true,
};
