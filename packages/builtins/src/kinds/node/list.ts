import type { KindBehavior } from '../../kind.ts';
import { runtimeClassKind } from './runtime-class.ts';

export const nodeKinds: readonly KindBehavior[] = [runtimeClassKind];
