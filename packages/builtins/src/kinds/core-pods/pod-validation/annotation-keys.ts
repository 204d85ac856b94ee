import { byteLength, qualifiedNameProblems, tooLong, invalid, type FieldError } from '@flotilla/kube';

const maxAnnotationBytes = 256 * 1024;

/** Annotations of a template: keys like those of labels, but in any case, and not too much in all. */
export function checkAnnotationKeys(
  errors: FieldError[],
  path: string,
  annotations: Readonly<Record<string, string>> | undefined,
): void {
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const sentence of qualifiedNameProblems(key.toLowerCase())) errors.push(invalid(path, key, sentence));
    size += byteLength(key) + byteLength(value);
  }
  if (size > maxAnnotationBytes) errors.push(tooLong(path, maxAnnotationBytes));
}
