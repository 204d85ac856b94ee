import type { KindBehavior } from '../../kind.ts';
import { podKind } from './pod.ts';

export const corePodKinds: readonly KindBehavior[] = [podKind];
