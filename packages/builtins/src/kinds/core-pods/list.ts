import type { KindBehavior } from '../../kind.ts';
import { podTemplateKind } from './pod-template.ts';
import { podKind } from './pod.ts';
import { replicationControllerKind } from './replication-controller.ts';

export const corePodKinds: readonly KindBehavior[] = [podKind, podTemplateKind, replicationControllerKind];
