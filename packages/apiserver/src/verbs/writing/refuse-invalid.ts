import { isRefusedPrivilege } from '@flotilla/builtins';
import { apiErrors, type FieldError, type KubeObject } from '@flotilla/kube';
import { internalKind } from '../../resources/internal-type.ts';
import type { Call } from '../../call/call.ts';

/** Throws the validation errors, except for privileged containers where the server allows them. */
export function refuseInvalid(
  { server, resource }: Call,
  { metadata }: KubeObject,
  found: readonly FieldError[],
): void {
  const errors = server.allowsPrivileged ? found.filter((error) => !isRefusedPrivilege(error)) : found;
  if (errors.length > 0) throw apiErrors.invalid(internalKind(resource), metadata.name ?? '', errors);
}
