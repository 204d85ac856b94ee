/**
 * Why a patch cannot be applied, and the response of Kubernetes:
 *
 *   malformed      400  the client gets the message
 *   too-large      413  the client gets the message
 *   inapplicable   422  the client gets a generic message
 *   unexpected     500  the client gets the message, without a reason
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

/** Patches are recursive. This limit, far beyond real objects, prevents a stack overflow. */
const maxPatchDepth = 1000;

export function checkPatchDepth(depth: number): void {
  if (depth > maxPatchDepth) throw new PatchError('malformed', 'exceeded max depth');
}
