/**
 * Why a patch cannot be applied, and with it how Kubernetes answers:
 *
 *   malformed      400  the message is shown
 *   too-large      413  the message is shown
 *   inapplicable   422  the message stays inside; the client reads a generic sentence
 *   unexpected     500  the message is shown, without a reason
 */
type PatchFault = 'malformed' | 'too-large' | 'inapplicable' | 'unexpected';

export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly fault: PatchFault;

  constructor(fault: PatchFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Patches walk documents recursively; far beyond any real object they stop before the stack does. */
const maxPatchDepth = 1000;

export function checkPatchDepth(depth: number): void {
  if (depth > maxPatchDepth) throw new PatchError('malformed', 'exceeded max depth');
}
