/** A configuration that cannot be used. The message names the file and what to mend in it. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
