import type { KindBehavior } from '../kind.ts';
import { admissionregistrationKinds } from './admissionregistration/list.ts';
import { apiregistrationKinds } from './apiregistration/list.ts';
import { appsKinds } from './apps/list.ts';
import { accessReviewKinds } from './authorization/access-review.ts';
import { autoscalingKinds } from './autoscaling/list.ts';
import { batchKinds } from './batch/list.ts';
import { certificateKinds } from './certificates/list.ts';
import { coordinationKinds } from './coordination/list.ts';
import { coreKinds } from './core/list.ts';
import { corePodKinds } from './core-pods/list.ts';
import { discoveryKinds } from './discovery/list.ts';
import { eventKinds } from './events/list.ts';
import { flowcontrolKinds } from './flowcontrol/list.ts';
import { networkingKinds } from './networking/list.ts';
import { nodeKinds } from './node/list.ts';
import { policyKinds } from './policy/list.ts';
import { rbacKinds } from './rbac/list.ts';
import { resourceKinds } from './resource/list.ts';
import { schedulingKinds } from './scheduling/list.ts';
import { storageKinds } from './storage/list.ts';

/** Every built-in kind that has more to say than its fields: the table of contents of this folder. */
export const allKinds: readonly KindBehavior[] = [
  ...admissionregistrationKinds,
  ...apiregistrationKinds,
  ...appsKinds,
  ...accessReviewKinds,
  ...autoscalingKinds,
  ...batchKinds,
  ...certificateKinds,
  ...coordinationKinds,
  ...coreKinds,
  ...corePodKinds,
  ...discoveryKinds,
  ...eventKinds,
  ...flowcontrolKinds,
  ...networkingKinds,
  ...nodeKinds,
  ...policyKinds,
  ...rbacKinds,
  ...resourceKinds,
  ...schedulingKinds,
  ...storageKinds,
];
