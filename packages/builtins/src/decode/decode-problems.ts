/** What Go would say about a value that does not fit its type. */
export interface DecodeProblems {
  /** Go's sentence for the first value of a wrong type; the object is then not to be used. */
  readonly error?: string;
  /** What a type that reads its own JSON said before Go added the place. Present only beside such an error. */
  readonly ownError?: string;
  /** Paths of fields that the types do not have, as strict decoding writes them: `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[];
}
