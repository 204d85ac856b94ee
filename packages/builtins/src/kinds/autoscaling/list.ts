import type { KindBehavior } from '../../kind.ts';
import { horizontalPodAutoscalerV1Kind } from './horizontal-pod-autoscaler-v1.ts';
import { horizontalPodAutoscalerKind } from './horizontal-pod-autoscaler.ts';
import { scaleKind } from './scale.ts';

export const autoscalingKinds: readonly KindBehavior[] = [
  horizontalPodAutoscalerKind,
  horizontalPodAutoscalerV1Kind,
  scaleKind,
];
