/**
 * What kube-apiserver refuses without --allow-privileged. A kind does not know the server's options, so it always
 * refuses; a server that allows privileged pods removes these errors.
 */
import { forbidden, type FieldError } from '@flotilla/kube';

const detail = 'disallowed by cluster policy';

export function refusedPrivilege(path: string, prefix = ''): FieldError {
  return forbidden(path, `${prefix}${detail}`);
}

export function isRefusedPrivilege({ type, body }: FieldError): boolean {
  return type === 'FieldValueForbidden' && body.endsWith(detail);
}
