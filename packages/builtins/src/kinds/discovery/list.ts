import type { KindBehavior } from '../../kind.ts';
import { endpointSliceKind } from './endpoint-slice.ts';

export const discoveryKinds: readonly KindBehavior[] = [endpointSliceKind];
