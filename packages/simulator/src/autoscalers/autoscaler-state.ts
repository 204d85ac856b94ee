import { apiVersionOf, type Kind, type KubeObject } from '@flotilla/kube';
import type { Autoscaler, Pod } from '../kinds.ts';
import type { ScalingHistory } from './scaling-limits.ts';

/** What is scaled. */
export interface ScaleTarget {
  readonly kind: Kind;
  readonly object: Readonly<KubeObject>;
  readonly replicas: number;
  /** Empty if it has none. */
  readonly selector: string;
}

export interface AutoscalerState {
  readonly autoscaler: Readonly<Autoscaler>;
  readonly target: ScaleTarget | { readonly failure: string };
  /** The pods of the target. */
  readonly pods: readonly Readonly<Pod>[];
  /** If several autoscalers have these pods: their names. */
  readonly rivals: readonly string[];
  readonly history: ScalingHistory;
}

/** `Deployment.apps/v1 web`: what an autoscaler scales. */
export function targetText({ spec }: Readonly<Autoscaler>): string {
  const { apiVersion = '', kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  return `${kind}.${apiVersion} ${name}`;
}

export function objectText(kind: Kind, { metadata }: Readonly<KubeObject>): string {
  return `${kind.kind}.${apiVersionOf(kind)} ${metadata.name}`;
}
