import type { KindBehavior } from '../../kind.ts';
import { priorityClassKind } from './priority-class.ts';

export const schedulingKinds: readonly KindBehavior[] = [priorityClassKind];
