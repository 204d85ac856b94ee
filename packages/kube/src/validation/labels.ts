import { byteLength } from '../go/format.ts';
import { labelValueProblems, qualifiedNameProblems } from '../names/label.ts';
import { invalid, tooLong, type FieldError } from './field-error.ts';

/** Keys and values of all annotations together. */
const maxAnnotationBytes = 256 * 1024;

/** Keys that are valid. Almost all writes have the same few. */
const validLabelKeys = new Set<string>();
const validAnnotationKeys = new Set<string>();
const maxKeys = 1024;
/** Longer ones are not remembered, so that callers who make them up fill no more than 100 KB. */
const maxKeyLength = 100;

type StringMap = Readonly<Record<string, string>>;

export function validateLabels(labels: StringMap | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key] ?? '';
    if (!validLabelKeys.has(key)) checkKey(key, qualifiedNameProblems(key), validLabelKeys, { field, errors });
    for (const problem of labelValueProblems(value)) errors.push(invalid(field, value, problem));
  }
  return errors;
}

export function validateLabelName(name: string, field: string): FieldError[] {
  return qualifiedNameProblems(name).map((problem) => invalid(field, name, problem));
}

/** Unlike in labels, the prefix of a key may have capitals. */
export function validateAnnotations(annotations: StringMap | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key in annotations) {
    if (!validAnnotationKeys.has(key))
      checkKey(key, qualifiedNameProblems(key.toLowerCase()), validAnnotationKeys, { field, errors });
    bytes += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(field, maxAnnotationBytes));
  return errors;
}

/** Remembers a key without problems. It is the name of a property, so it keeps nothing else of its request in memory. */
function checkKey(
  key: string,
  problems: readonly string[],
  valid: Set<string>,
  { field, errors }: { readonly field: string; readonly errors: FieldError[] },
): void {
  for (const problem of problems) errors.push(invalid(field, key, problem));
  if (problems.length > 0 || key.length > maxKeyLength) return;
  if (valid.size >= maxKeys) valid.clear();
  valid.add(key);
}
