import { apiErrors, type JsonObject, type KubeObject } from '@flotilla/kube';
import { admit, validateAdmission, type Attributes } from '../../../admission/admission.ts';
import type { Call } from '../../../call/call.ts';
import { userOf } from '../../../request/caller.ts';
import { builtinCodec } from '../../../resources/builtin-resource.ts';

/**
 * Admits a connection to a kubelet, a pod or a service. Its object are the options in the query, which `readOptions` reads. Returns
 * them as admission left them: it may choose another container or command.
 */
export async function admitConnection(
  call: Call,
  kind: string,
  readOptions: (call: Call) => JsonObject,
): Promise<JsonObject> {
  const { resource, info, server, warnings, audit } = call;
  if (info.query.has('dryRun')) throw apiErrors.badRequest('dryRun is not supported');
  const { object } = builtinCodec({ group: '', version: 'v1', kind }).decode(readOptions(call));
  const attributes: Attributes = {
    operation: 'CONNECT',
    resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    object,
    oldObject: undefined,
    user: userOf(call),
    dryRun: false,
    server,
    warnings,
    audit,
    request: call.request,
  };
  await admit(attributes);
  await validateAdmission(attributes);
  return object satisfies KubeObject;
}
