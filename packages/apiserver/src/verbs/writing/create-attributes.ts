import type { KubeObject } from '@flotilla/kube';
import type { Attributes } from '../../admission/admission.ts';
import type { Call } from '../../call/call.ts';
import { userOf } from '../../request/caller.ts';
import type { WriteOptions } from '../../request/write-options.ts';

/** The admission attributes of a create. */
export function createAttributes(
  call: Call,
  object: KubeObject,
  options: WriteOptions,
): Attributes & { readonly object: KubeObject } {
  const { resource, info, server, warnings, audit } = call;
  return {
    operation: 'CREATE',
    resource,
    subresource: '',
    namespace: info.namespace,
    name: object.metadata.name ?? '',
    object,
    oldObject: undefined,
    options,
    user: userOf(call),
    dryRun: options.dryRun,
    server,
    warnings,
    request: call.request,
    retry: call.retry,
    audit,
  };
}
