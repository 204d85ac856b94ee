import { quote } from '@flotilla/kube';

/** What Go would say about a value that does not fit its type. */
export interface DecodeProblems {
  /** Go's sentence for the first value of a wrong type; the object is then not to be used. */
  readonly error?: string;
  /** Paths of fields that the types do not have, as strict decoding writes them: `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[];
}

/** `unknown field "spec.foo"`: a strict decoding error, or the text of a warning. */
export function unknownFieldText(path: string): string {
  return `unknown field ${quote(path)}`;
}
