import type { KindBehavior } from '../../kind.ts';
import { bindingKind } from './binding.ts';
import { componentStatusKind } from './component-status.ts';
import { configMapKind } from './config-map.ts';
import { endpointsKind } from '../core-services/endpoints.ts';
import { limitRangeKind } from './limit-range.ts';
import { namespaceKind } from './namespace.ts';
import { nodeKind } from './node.ts';
import { persistentVolumeClaimKind } from '../core-volumes/persistent-volume-claim.ts';
import { persistentVolumeKind } from '../core-volumes/persistent-volume.ts';
import { resourceQuotaKind } from './resource-quota.ts';
import { secretKind } from './secret.ts';
import { serviceAccountKind } from './service-account.ts';
import { serviceKind } from '../core-services/service.ts';

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
