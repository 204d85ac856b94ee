import type { KindBehavior } from '../../kind.ts';
import { coreEventKind, eventsEventKind } from './event.ts';

export const eventKinds: readonly KindBehavior[] = [coreEventKind, eventsEventKind];
