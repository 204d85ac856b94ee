/** Parts of objects in the words of KubeFleet's refusals, which print Go structs. */
import { compareBytes, type LabelSelectorObject } from '@flotilla/kube';

/** Go's `%+v` of a struct: `{Key:a Value: Effect:NoSchedule}`. */
export function structText(fields: Readonly<Record<string, string | undefined>>): string {
  return `{${Object.entries(fields)
    .map(([name, value = '']) => `${name}:${value}`)
    .join(' ')}}`;
}

/** A pointer to a `metav1.LabelSelector`, which prints itself, also if it is nil. */
export function labelSelectorText(selector: LabelSelectorObject | undefined): string {
  if (selector === undefined) return 'nil';
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels).sort(([a], [b]) => compareBytes(a, b));
  const printed = labels.map(([key, value]) => `${key}: ${value},`).join('');
  const requirements = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${printed}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}
