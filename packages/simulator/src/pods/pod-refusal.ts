import type { ApiError } from '@flotilla/kube';

/** Kubernetes makes these checks before it completes the name of a pod with `generateName`. */
const withoutName =
  /^(pods ".*)[a-z0-9]{5}(" is forbidden: (?:error looking up service account |no PriorityClass with name |pod rejected: RuntimeClass ))/;

/** Why the server refused a pod, as a controller says it that leaves the name to the server. */
export function podRefusal({ message }: ApiError): string {
  return message.replace(withoutName, '$1$2');
}
