import type { KindBehavior } from '../../kind.ts';
import { bindingKind } from './binding.ts';
import { componentStatusKind } from './component-status.ts';
import { configMapKind } from './config-map.ts';
import { endpointsKind } from './endpoints.ts';
import { limitRangeKind } from './limit-range.ts';
import { namespaceKind } from './namespace.ts';
import { nodeKind } from './node.ts';
import { persistentVolumeClaimKind } from './persistent-volume-claim.ts';
import { persistentVolumeKind } from './persistent-volume.ts';
import { resourceQuotaKind } from './resource-quota.ts';
import { secretKind } from './secret.ts';
import { serviceAccountKind } from './service-account.ts';
import { serviceKind } from './service.ts';

export const coreKinds: readonly KindBehavior[] = [
  bindingKind,
  componentStatusKind,
  configMapKind,
  endpointsKind,
  limitRangeKind,
  namespaceKind,
  nodeKind,
  persistentVolumeClaimKind,
  persistentVolumeKind,
  resourceQuotaKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
];
