import type { TolerationFields } from '../pod-fields.ts';
import { semanticEqual } from '../../semantic-equal.ts';

/** Both lists, without those that another one covers. Of equal ones the first stays. */
export function mergeTolerations(
  first: readonly TolerationFields[],
  second: readonly TolerationFields[],
): TolerationFields[] {
  const all = [...first, ...second];
  const indices = new Map(all.map((one, at) => [one, at]));
  const alike = Map.groupBy(all, scopeOf);
  const merged = new Set<TolerationFields>();
  for (const [at, one] of all.entries()) {
    const isCovered = widerScopes(one).some((reach) =>
      alike.get(reach)?.some((other) => {
        if ((indices.get(other) ?? at) > at) return !semanticEqual(other, one) && covers(other, one);
        return merged.has(other) && covers(other, one);
      }),
    );
    if (!isCovered) merged.add(one);
  }
  return [...merged];
}

/** Lists can be long, so only tolerations with the same or a wider scope are compared. */
function scopeOf({ key = '', operator = '', value = '' }: TolerationFields): string {
  return operator === 'Exists' ? `${key} ` : `${key}=${value}`;
}

/** The scopes that include that of a toleration: its own, all values of its key, and all keys. */
function widerScopes(one: TolerationFields): string[] {
  return [...new Set([scopeOf(one), scopeOf({ ...one, operator: 'Exists' }), ' '])];
}

/** Whether `one` tolerates everything that `other` does. */
function covers(one: TolerationFields, other: TolerationFields): boolean {
  if (semanticEqual(one, other)) return true;
  const { key = '', operator = '', value = '', effect = '' } = one;
  const matchesAllKeys = key === '' && operator === 'Exists';
  if ((other.key ?? '') !== key && !matchesAllKeys) return false;
  if (effect !== '' && (other.effect ?? '') !== effect) return false;
  if (effect === 'NoExecute' && !lastsAsLong(one, other)) return false;
  if (operator === 'Exists') return true;
  const isEqual = operator === 'Equal' || operator === '';
  return isEqual && other.operator === 'Equal' && (other.value ?? '') === value;
}

/** Without seconds it lasts forever. */
function lastsAsLong({ tolerationSeconds: own }: TolerationFields, { tolerationSeconds }: TolerationFields): boolean {
  return own === undefined || (tolerationSeconds !== undefined && tolerationSeconds <= own);
}
