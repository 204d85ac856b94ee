import { invalid, type FieldError } from '@flotilla/kube';

/** One error for each sentence that a name rule has about a value. */
export function invalids(field: string, value: string, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalid(field, value, problem));
}
