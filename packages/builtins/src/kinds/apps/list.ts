import type { KindBehavior } from '../../kind.ts';
import { deploymentKind } from './deployment.ts';

export const appsKinds: readonly KindBehavior[] = [deploymentKind];
