import type { KindBehavior } from '../../kind.ts';
import { configMapKind } from './config-map.ts';
import { namespaceKind } from './namespace.ts';
import { secretKind } from './secret.ts';
import { serviceAccountKind } from './service-account.ts';
import { serviceKind } from './service.ts';

export const coreKinds: readonly KindBehavior[] = [
  configMapKind,
  namespaceKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
];
