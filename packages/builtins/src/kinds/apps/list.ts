import type { KindBehavior } from '../../kind.ts';
import { controllerRevisionKind } from './controller-revision.ts';
import { daemonSetKind } from './daemon-set.ts';
import { deploymentKind } from './deployment.ts';
import { replicaSetKind } from './replica-set.ts';
import { statefulSetKind } from './stateful-set.ts';

export const appsKinds: readonly KindBehavior[] = [
  controllerRevisionKind,
  daemonSetKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
];
