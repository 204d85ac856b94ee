/** Shared by binding and eviction: a POST that changes a pod and is answered with a Status. */
import type { PodFields } from '@flotilla/builtins';
import { apiErrors, type ApiResponse, type ApiStatus, type KubeObject } from '@flotilla/kube';
import { admit, validateAdmission, type Attributes } from '../../../admission/admission.ts';
import { statusResponse } from '../../../response/respond.ts';
import { builtinCodec, isKnownKind } from '../../../resources/builtin-resource.ts';
import { StoreConflict } from '../../../store/store.ts';
import { keyOf, type Call } from '../../../call/call.ts';
import { createAttributes } from '../../writing/create-attributes.ts';
import { setNamespace } from '../../writing/metadata.ts';
import { readObject, type ExpectedKind } from '../../body/read-object.ts';
import { objectRepresentation } from '../../../representation/represent.ts';
import { readEntryNow } from '../../../representation/read-entry.ts';
import { storePut } from '../../writing/store-object.ts';
import type { WriteOptions } from '../../../request/write-options.ts';

export function expectedAction(group: string, version: string, kind: string): ExpectedKind {
  return { group, version, kind, codec: builtinCodec({ group, version, kind }), isKnownKind };
}

/**
 * Reads and admits the body. Checks the Accept header as for the action itself, though the answer is a Status. `check` refuses or
 * completes the body before validating admission sees it.
 */
export async function readAction<T extends KubeObject>(
  call: Call,
  expected: ExpectedKind,
  options: WriteOptions,
  check: (object: T) => void,
): Promise<T> {
  objectRepresentation(call, expected.codec);
  const object = (await readObject(call, expected, options.fieldValidation)) as T;
  setNamespace(call, object);
  const { subresource, name } = call.info;
  const attributes: Attributes = { ...createAttributes(call, object, options), subresource, ...(name && { name }) };
  await admit(attributes);
  check(object);
  await validateAdmission(attributes);
  return object;
}

/** The call with the pod as its resource. */
export function onPod(call: Call, name: string): Call {
  const resource = call.server.registry.find('', 'v1', 'pods');
  if (!resource) throw apiErrors.unknownPath();
  return { ...call, resource, info: { ...call.info, resource: 'pods', name, subresource: '' } };
}

/** Changes a pod without admission and validation, as the server's own write. `change` edits the pod or throws. */
export async function changePod(call: Call, dryRun: boolean, change: (pod: PodFields) => void): Promise<void> {
  const { resource, info, server } = call;
  const key = keyOf(call, info.name);
  for (;;) {
    const entry = server.store.newest(key);
    if (!entry) throw apiErrors.notFound({ resource: 'pods', group: '' }, info.name);
    const pod = readEntryNow(resource, entry) as PodFields;
    change(pod);
    try {
      await storePut(call, { key, expected: entry.revision, object: pod, dryRun });
      return;
    } catch (error) {
      if (!(error instanceof StoreConflict) || call.request.signal.aborted) throw error;
    }
  }
}

const done: ApiStatus = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

export function actionDone({ request, info, warnings }: Call): ApiResponse {
  return statusResponse(request, info.query, { status: done, code: 201, warnings });
}
