import { duplicate, qualifiedNameProblems, required, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';
import { repeatsIn } from '../repeats.ts';

/** Where volumes of a class may be made. */
export interface TopologyTerm {
  readonly matchLabelExpressions?: readonly TopologyRequirement[];
}

interface TopologyRequirement {
  readonly key?: string;
  readonly values?: readonly string[] | null;
}

/** Repeated terms are reported for each pair of them; no client reads more than so many. */
const mostPairs = 10_000;

export function validateTopologies(terms: readonly TopologyTerm[], path: string): FieldError[] {
  // Kubernetes compares each term with the earlier ones, and with as many empty ones as there are terms.
  const seen = new Map([[meaningOf({}), terms.length]]);
  let pairs = 0;
  return terms.flatMap((term, index) => {
    const field = `${path}[${index}].matchLabelExpressions`;
    const meaning = meaningOf(term);
    const count = seen.get(meaning) ?? 0;
    seen.set(meaning, count + 1);
    const reported = Math.min(count, mostPairs - pairs);
    pairs += reported;
    return [...validateTerm(term, field), ...Array.from({ length: reported }, () => duplicate(field, ''))];
  });
}

/** The same for terms that select the same nodes, in whatever order they say it. */
function meaningOf({ matchLabelExpressions = [] }: TopologyTerm): string {
  const byKey = new Map(matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values)].sort()]));
  return JSON.stringify([...byKey].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function validateTerm({ matchLabelExpressions = [] }: TopologyTerm, path: string): FieldError[] {
  const keys = matchLabelExpressions.map(({ key = '' }) => key);
  const repeats = repeatsIn(keys);
  return matchLabelExpressions.flatMap((requirement, index) => {
    const field = `${path}[${index}]`;
    const errors = validateRequirement(requirement, field);
    const key = keys[index] ?? '';
    return repeats.has(index) ? [...errors, duplicate(`${field}.key`, key)] : errors;
  });
}

function validateRequirement({ key = '', ...requirement }: TopologyRequirement, path: string): FieldError[] {
  const values = requirement.values ?? [];
  const repeats = repeatsIn(values);
  const errors = values.flatMap((value, index) =>
    repeats.has(index) ? [duplicate(`${path}.values[${index}]`, value)] : [],
  );
  if (values.length === 0) errors.push(required(`${path}.values`));
  return [...errors, ...invalids(`${path}.key`, key, qualifiedNameProblems(key))];
}
