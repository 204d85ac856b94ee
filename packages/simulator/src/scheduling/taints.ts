/** Taints keep pods away from a node, unless they tolerate them. */
import type { Taint, Toleration } from '../kinds.ts';

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

/** An empty effect or key means all; an empty operator means Equal. */
export function tolerates(toleration: Readonly<Toleration>, taint: Readonly<Taint>): boolean {
  const { effect = '', key = '', operator = 'Equal', value = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === '' || operator === 'Equal') return value === (taint.value ?? '');
  return operator === 'Exists';
}

/** The first taint with one of these effects that the pod does not tolerate. */
export function untoleratedTaint(
  taints: readonly Readonly<Taint>[],
  tolerations: readonly Readonly<Toleration>[],
  effects: readonly TaintEffect[],
): Readonly<Taint> | undefined {
  return taints.find(
    (taint) =>
      effects.some((effect) => effect === taint.effect) &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}
