import { byteLength } from '../go/format.ts';
import { labelValueProblems, qualifiedNameProblems } from '../names/label.ts';
import { noProblems } from '../names/messages.ts';
import { invalid, tooLong, type FieldError } from './field-error.ts';

/** Keys and values of all annotations together. */
const maxAnnotationBytes = 256 * 1024;

const maxKnownKeys = 1024;
/** Longer ones are not remembered, so that callers who make them up fill no more than 100 KB. */
const maxKnownLength = 100;

const labelKeyProblems = rememberingValid(qualifiedNameProblems);
/** Unlike in labels, the prefix of a key may have capitals. */
const annotationKeyProblems = rememberingValid((key) => qualifiedNameProblems(key.toLowerCase()));

type StringMap = Readonly<Record<string, string>>;

export function validateLabels(labels: StringMap | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key] ?? '';
    for (const problem of labelKeyProblems(key)) errors.push(invalid(field, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(field, value, problem));
  }
  return errors;
}

export function validateLabelName(name: string, field: string): FieldError[] {
  return qualifiedNameProblems(name).map((problem) => invalid(field, name, problem));
}

export function validateAnnotations(annotations: StringMap | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key in annotations) {
    for (const problem of annotationKeyProblems(key)) errors.push(invalid(field, key, problem));
    bytes += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(field, maxAnnotationBytes));
  return errors;
}

/**
 * The same check, which runs once for a valid key: almost all writes have the same few. Only for names of properties, which keep nothing
 * else of their request in memory.
 */
function rememberingValid(check: (key: string) => readonly string[]): (key: string) => readonly string[] {
  const valid = new Set<string>();
  return (key) => {
    if (valid.has(key)) return noProblems;
    const problems = check(key);
    if (problems.length > 0 || key.length > maxKnownLength) return problems;
    if (valid.size >= maxKnownKeys) valid.clear();
    valid.add(key);
    return problems;
  };
}
