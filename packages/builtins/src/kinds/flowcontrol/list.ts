import type { KindBehavior } from '../../kind.ts';
import { flowSchemaKind } from './flow-schema.ts';
import { priorityLevelConfigurationKind } from './priority-level-configuration.ts';

export const flowcontrolKinds: readonly KindBehavior[] = [flowSchemaKind, priorityLevelConfigurationKind];
