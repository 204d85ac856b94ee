import type { JsonObject, KubeObject } from '@flotilla/kube';
import { admit, validateAdmission, type Attributes } from '../../../admission/admission.ts';
import type { Call } from '../../../call/call.ts';
import { userOf } from '../../../request/caller.ts';

/** Admits a connection to a kubelet, a pod or a service. Its object are the options in the query. */
export async function admitConnection(call: Call, kind: string, options: JsonObject): Promise<void> {
  const { resource, info, server, warnings, audit } = call;
  const attributes: Attributes = {
    operation: 'CONNECT',
    resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    // Options have no metadata.
    object: { kind, apiVersion: 'v1', ...options } as unknown as KubeObject,
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
}
