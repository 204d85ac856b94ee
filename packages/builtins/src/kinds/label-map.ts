import { invalid, labelValueProblems, qualifiedNameProblems, type FieldError } from '@flotilla/kube';

/** A map of labels: keys and values are reported on the map's own path. */
export function validateLabels(field: string, labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((sentence) => invalid(field, key, sentence)),
    ...labelValueProblems(value).map((sentence) => invalid(field, value, sentence)),
  ]);
}
