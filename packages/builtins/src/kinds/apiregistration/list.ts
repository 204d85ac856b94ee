import type { KindBehavior } from '../../kind.ts';
import { apiServiceKind } from './api-service.ts';

export const apiregistrationKinds: readonly KindBehavior[] = [apiServiceKind];
