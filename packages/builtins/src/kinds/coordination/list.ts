import type { KindBehavior } from '../../kind.ts';
import { leaseKind } from './lease.ts';

export const coordinationKinds: readonly KindBehavior[] = [leaseKind];
