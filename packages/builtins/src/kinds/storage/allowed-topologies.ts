import { duplicate, qualifiedNameProblems, required, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';

/** Where volumes of a class may be made. */
export interface TopologyTerm {
  readonly matchLabelExpressions?: readonly TopologyRequirement[];
}

interface TopologyRequirement {
  readonly key?: string;
  readonly values?: readonly string[] | null;
}

export function validateTopologies(terms: readonly TopologyTerm[], path: string): FieldError[] {
  const nothing = meaningOf({});
  // Kubernetes compares each term with the earlier ones, and with as many empty ones as there are terms.
  const seen = terms.map(() => nothing);
  return terms.flatMap((term, index) => {
    const field = `${path}[${index}].matchLabelExpressions`;
    const meaning = meaningOf(term);
    const repeated = seen.filter((one) => one === meaning).map(() => duplicate(field, ''));
    seen.push(meaning);
    return [...validateTerm(term, field), ...repeated];
  });
}

/** The same for terms that select the same nodes, in whatever order they say it. */
function meaningOf({ matchLabelExpressions = [] }: TopologyTerm): string {
  const byKey = new Map(matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values)].sort()]));
  return JSON.stringify([...byKey].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function validateTerm({ matchLabelExpressions = [] }: TopologyTerm, path: string): FieldError[] {
  const keys = matchLabelExpressions.map(({ key = '' }) => key);
  return matchLabelExpressions.flatMap((requirement, index) => {
    const field = `${path}[${index}]`;
    const errors = validateRequirement(requirement, field);
    const key = keys[index] ?? '';
    return keys.indexOf(key) < index ? [...errors, duplicate(`${field}.key`, key)] : errors;
  });
}

function validateRequirement({ key = '', ...requirement }: TopologyRequirement, path: string): FieldError[] {
  const values = requirement.values ?? [];
  const errors = values.flatMap((value, index) =>
    values.indexOf(value) < index ? [duplicate(`${path}.values[${index}]`, value)] : [],
  );
  if (values.length === 0) errors.push(required(`${path}.values`));
  return [...errors, ...invalids(`${path}.key`, key, qualifiedNameProblems(key))];
}
