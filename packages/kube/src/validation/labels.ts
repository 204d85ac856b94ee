import { byteLength } from '../go/format.ts';
import { labelValueProblems, qualifiedNameProblems } from '../names/label.ts';
import { invalid, tooLong, type FieldError } from './field-error.ts';

/** Keys and values of all annotations together. */
const maxAnnotationBytes = 256 * 1024;

type StringMap = Readonly<Record<string, string>>;

export function validateLabels(labels: StringMap | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key] ?? '';
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(field, key, problem));
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
    for (const problem of qualifiedNameProblems(key.toLowerCase())) errors.push(invalid(field, key, problem));
    bytes += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(field, maxAnnotationBytes));
  return errors;
}
