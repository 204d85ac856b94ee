import { duplicate, qualifiedNameProblems, required, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';

/** Where volumes of a class may be made. */
export interface TopologyTerm {
  readonly matchLabelExpressions?: readonly TopologyRequirement[];
}

interface TopologyRequirement {
  readonly key?: string;
  readonly values?: readonly string[];
}

export function validateTopologies(terms: readonly TopologyTerm[], path: string): FieldError[] {
  // A term without requirements counts as a repetition: Kubernetes compares with empty terms it has not filled yet.
  const seen = new Set([meaningOf({})]);
  return terms.flatMap((term, index) => {
    const field = `${path}[${index}].matchLabelExpressions`;
    const errors = validateTerm(term, field);
    const meaning = meaningOf(term);
    if (seen.has(meaning)) errors.push(duplicate(field, ''));
    seen.add(meaning);
    return errors;
  });
}

/** The same for terms that select the same nodes, in whatever order they say it. */
function meaningOf({ matchLabelExpressions = [] }: TopologyTerm): string {
  const byKey = new Map(matchLabelExpressions.map(({ key = '', values = [] }) => [key, [...new Set(values)].sort()]));
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

function validateRequirement({ key = '', values = [] }: TopologyRequirement, path: string): FieldError[] {
  const errors = values.flatMap((value, index) =>
    values.indexOf(value) < index ? [duplicate(`${path}.values[${index}]`, value)] : [],
  );
  if (values.length === 0) errors.push(required(`${path}.values`));
  return [...errors, ...invalids(`${path}.key`, key, qualifiedNameProblems(key))];
}
