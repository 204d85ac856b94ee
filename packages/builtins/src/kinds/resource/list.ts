import type { KindBehavior } from '../../kind.ts';
import { deviceClassKind } from './device-class.ts';
import { resourceClaimTemplateKind } from './resource-claim-template.ts';
import { resourceClaimKind } from './resource-claim.ts';
import { resourceSliceKind } from './resource-slice.ts';

export const resourceKinds: readonly KindBehavior[] = [
  deviceClassKind,
  resourceClaimKind,
  resourceClaimTemplateKind,
  resourceSliceKind,
];
