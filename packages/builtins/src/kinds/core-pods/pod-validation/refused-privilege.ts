/**
 * What kube-apiserver refuses unless it is started with --allow-privileged. A kind does not know how a server was started, so
 * it always refuses; a server that allows it takes these refusals back.
 */
import { forbidden, type FieldError } from '@flotilla/kube';

const sentence = 'disallowed by cluster policy';

export function refusedPrivilege(path: string, who = ''): FieldError {
  return forbidden(path, `${who}${sentence}`);
}

export function isRefusedPrivilege({ type, body }: FieldError): boolean {
  return type === 'FieldValueForbidden' && body.endsWith(sentence);
}
