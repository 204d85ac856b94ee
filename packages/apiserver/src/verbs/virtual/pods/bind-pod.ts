import { bindPod, type BindingFields } from '@flotilla/builtins';
import {
  aggregate,
  apiErrors,
  fieldErrorText,
  notSupported,
  required,
  type ApiResponse,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { writeOptions } from '../../../request/write-options.ts';
import type { Call } from '../../../call/call.ts';
import { actionDone, changePod, expectedAction, onPod, readAction } from './pod-actions.ts';
import type { ExpectedKind } from '../../body/read-object.ts';

let expected: ExpectedKind | undefined;

/** Assigns a pod to a node: `pods/binding`, and the older `bindings`, where only the body names the pod. */
export async function createBinding(call: Call): Promise<ApiResponse> {
  const { info, server } = call;
  if (info.verb !== 'create') throw apiErrors.methodNotAllowed();
  const options = writeOptions('CreateOptions', info.query);
  expected ??= expectedAction('', 'v1', 'Binding');
  const binding = await readAction<BindingFields>(call, expected, options, (body) => checkBinding(call, body));
  const { name = '', uid, resourceVersion } = binding.metadata;
  if (name === '') throw apiErrors.badRequest('Name parameter required.');
  await changePod(onPod(call, name), options.dryRun, (pod) => {
    checkPreconditions(pod, uid, resourceVersion);
    const refusal = bindPod(pod, binding, server.now());
    if (refusal !== undefined) throw apiErrors.conflict({ resource: 'pods/binding', group: '' }, name, refusal);
  });
  return actionDone(call);
}

function checkBinding({ info }: Call, binding: BindingFields): void {
  if (info.subresource !== '' && binding.metadata.name !== info.name) {
    throw apiErrors.badRequest('name in URL does not match name in Binding object');
  }
  const errors = bindingErrors(binding);
  if (errors.length > 0) throw apiErrors.unknown(aggregate(errors.map(fieldErrorText)));
}

function bindingErrors({ target }: BindingFields): FieldError[] {
  const { kind = '', name = '' } = target as { kind?: string; name?: string };
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(required('target.name', ''));
  return errors;
}

/** A binding may have the uid and resourceVersion of the pod as preconditions. */
function checkPreconditions(
  { metadata }: KubeObject,
  uid: string | undefined,
  resourceVersion: string | undefined,
): void {
  const { name = '', namespace } = metadata;
  const check = (field: string, requested: string | undefined, actual: string | undefined): void => {
    if (!requested || requested === actual) return;
    const why = `Precondition failed: ${field} in precondition: ${requested}, ${field} in object meta: ${actual}`;
    const key = `Key: /registry/pods/${namespace}/${name}, ResourceVersion: 0`;
    const message = `StorageError: invalid object, Code: 4, ${key}, AdditionalErrorMsg: ${why}`;
    throw apiErrors.conflict({ resource: 'pods', group: '' }, name, message);
  };
  check('UID', uid, metadata.uid);
  check('ResourceVersion', resourceVersion, metadata.resourceVersion);
}
