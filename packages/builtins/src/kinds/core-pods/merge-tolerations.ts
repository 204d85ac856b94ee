import type { TolerationFields } from './pod-fields.ts';
import { semanticEqual } from './semantic-equal.ts';

/** Both lists, without those that another one makes needless. Of equal ones the first stays. */
export function mergeTolerations(
  first: readonly TolerationFields[],
  second: readonly TolerationFields[],
): TolerationFields[] {
  const all = [...first, ...second];
  const merged: TolerationFields[] = [];
  for (const [at, one] of all.entries()) {
    const isCovered =
      merged.some((kept) => covers(kept, one)) ||
      all.slice(at + 1).some((later) => !semanticEqual(later, one) && covers(later, one));
    if (!isCovered) merged.push(one);
  }
  return merged;
}

/** Whether all that the other tolerates is tolerated by this one. */
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

/** Without a number of seconds it lasts forever. */
function lastsAsLong({ tolerationSeconds: own }: TolerationFields, { tolerationSeconds }: TolerationFields): boolean {
  return own === undefined || (tolerationSeconds !== undefined && tolerationSeconds <= own);
}
