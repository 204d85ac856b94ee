/** `matchLabelKeys` and `mismatchLabelKeys`, which stand for requirements that the server adds to a label selector. */
import { forbidden, invalid, qualifiedNameProblems, type FieldError, type LabelSelectorObject } from '@flotilla/kube';
import { invalidForEach } from './checks.ts';

interface WithLabelKeys {
  readonly labelSelector?: LabelSelectorObject;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export function checkLabelKeys(errors: FieldError[], path: string, term: WithLabelKeys): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  checkKeys(errors, `${path}.matchLabelKeys`, matchLabelKeys, labelSelector);
  checkKeys(errors, `${path}.mismatchLabelKeys`, mismatchLabelKeys, labelSelector);
  if (labelSelector !== undefined) checkNotInSelector(errors, path, matchLabelKeys, labelSelector);
  const mismatching = new Set(mismatchLabelKeys);
  matchLabelKeys.forEach((key, i) => {
    if (!mismatching.has(key)) return;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalid(`${path}.matchLabelKeys[${i}]`, key, detail));
  });
}

function checkKeys(
  errors: FieldError[],
  path: string,
  keys: readonly string[],
  selector: LabelSelectorObject | undefined,
): void {
  if (keys.length === 0) return;
  if (selector === undefined) {
    return void errors.push(forbidden(path, 'must not be specified when labelSelector is not set'));
  }
  keys.forEach((key, i) => invalidForEach(errors, `${path}[${i}]`, key, qualifiedNameProblems(key)));
}

/** The server has already added its own requirement for each key: a second one is the user's. */
function checkNotInSelector(
  errors: FieldError[],
  path: string,
  keys: readonly string[],
  { matchLabels, matchExpressions }: LabelSelectorObject,
): void {
  const indexOf = new Map(keys.map((key, i) => [key, i]));
  const seen = new Set(Object.keys(matchLabels ?? {}));
  for (const { key } of matchExpressions ?? []) {
    const index = indexOf.get(key);
    if (index !== undefined && seen.has(key)) {
      errors.push(invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
    seen.add(key);
  }
}
