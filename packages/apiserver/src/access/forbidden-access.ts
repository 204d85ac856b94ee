import { apiErrors, quote, type ApiError } from '@flotilla/kube';
import type { Access } from './authorizer.ts';

/** The 403 for an access that is not allowed, in Kubernetes' words. */
export function forbiddenAccess(access: Access, reason: string): ApiError {
  const sentence = withoutMarkup(sentenceOf(access));
  const why = reason === '' ? sentence : `${sentence}: ${reason}`;
  if (!access.isResource) return apiErrors.forbidden({ group: '', resource: '' }, '', why);
  const { group, resource, name } = access;
  return apiErrors.forbidden({ group, resource }, name, why);
}

function sentenceOf(access: Access): string {
  const { user, verb } = access;
  const who = `User ${quote(user.name)} cannot ${verb}`;
  if (!access.isResource) return `${who} path ${quote(access.path)}`;
  const { group, resource, subresource, namespace } = access;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`;
}

/** A browser must not render the message as a page. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
