/** The `scale` subresource: shows the replicas of a workload as a Scale. Writes update the workload. */
import { scaleKind } from '@flotilla/builtins';
import {
  ApiError,
  apiErrors,
  apiVersionOf,
  applyConfiguration,
  managerName,
  parentEntriesOf,
  patchTypes,
  quote,
  scaleEntriesOf,
  updateManagedFields,
  type ApiResponse,
  type KubeObject,
  type ManagedFieldsEntry,
  type ScaleParent,
} from '@flotilla/kube';
import { patchOptions, writeOptions, type WriteOptions } from '../../request/write-options.ts';
import { builtinCodec, isKnownKind } from '../../resources/builtin-resource.ts';
import { storageName, type Codec, type ScaleView } from '../../resources/resource.ts';
import { readConfig } from './apply.ts';
import { groupResource, type Call } from '../../call/call.ts';
import { copyObject } from './copy-object.ts';
import { checkName, setNamespace } from './metadata.ts';
import { endpointOf, type Endpoint } from '../../resources/endpoint.ts';
import { patchTypeOf, readPatch } from './patch.ts';
import { readBody } from '../body/read-body.ts';
import { readObject, type ExpectedKind } from '../body/read-object.ts';
import { objectRepresentation, objectResponse, type ShownKind } from '../../representation/represent.ts';
import { readEntry } from '../../representation/read-entry.ts';
import { checkUid, updateObject } from './update-object.ts';

let scaleExpected: ExpectedKind | undefined;

function expectedScale(): ExpectedKind {
  const { group, version, kind } = scaleKind;
  scaleExpected ??= { group, version, kind, codec: builtinCodec(scaleKind), isKnownKind };
  return scaleExpected;
}

function shownScale(call: Call): ShownKind {
  const { group, kind, columns } = scaleKind;
  return { group, kind, columns: viewOf(call).columns ?? columns, codec: expectedScale().codec };
}

function viewOf({ resource }: Call): ScaleView {
  if (!resource.scale) throw apiErrors.methodNotAllowed();
  return resource.scale;
}

export function scale(call: Call): ApiResponse | Promise<ApiResponse> {
  const { verb } = call.info;
  if (verb === 'get') return getScale(call);
  if (verb === 'update') return updateScale(call);
  if (verb === 'patch') return patchScale(call);
  throw apiErrors.methodNotAllowed();
}

async function getScale(call: Call): Promise<ApiResponse> {
  const { resource, info, server } = call;
  const representation = objectRepresentation(call, expectedScale().codec);
  const key = { collection: resource.collection, name: storageName(resource, info.namespace, info.name) };
  const entry = server.store.get(key);
  if (!entry) throw apiErrors.notFound(groupResource(call), info.name);
  if (server.heavy?.isHeavy(entry.bytes.length)) return server.heavy.run(call);
  const parent = await readEntry(resource, entry);
  const { requiredPath, replicas } = viewOf(call);
  if (requiredPath !== undefined && replicas(parent) === undefined) {
    throw apiErrors.internalError(`the spec replicas field ${quote(requiredPath)} does not exist`);
  }
  return objectResponse(call, 200, scaleOf(call, parent), representation, shownScale(call));
}

async function updateScale(call: Call): Promise<ApiResponse> {
  const options = writeOptions('UpdateOptions', call.info.query);
  const scale = await readScale(call, options);
  checkName(call, scale);
  setNamespace(call, scale);
  return writeScale(call, options, (old, now) => setScaleManagedFields(call, old, copyObject(scale), options, now));
}

async function readScale(call: Call, { fieldValidation }: WriteOptions): Promise<KubeObject> {
  const { invalidMessage } = viewOf(call);
  const read = readObject(call, expectedScale(), fieldValidation);
  if (invalidMessage === undefined) return read;
  return read.catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 400 ? apiErrors.badRequest(invalidMessage) : error;
  });
}

async function patchScale(call: Call): Promise<ApiResponse> {
  const type = patchTypeOf(call, patchCodec(call));
  const body = await readBody(call);
  call.audit?.setRequestPatch(body.bytes);
  const options = patchOptions(call.info.query, type === patchTypes.apply);
  if (type === patchTypes.apply) {
    const { config } = readConfig(body.bytes);
    return writeScale(call, options, (live, now) => {
      const kind = scaleEndpoint(call).managed;
      const manager = managerName(options.fieldManager, '');
      const { object: applied } = applyConfiguration({ kind, live, config, manager, force: options.force, now });
      const { codec } = expectedScale();
      return (codec.decodeConverted ?? codec.decode)(applied).object;
    });
  }
  const change = readPatch(type, body, expectedScale(), options);
  return writeScale(call, options, (old, now) => {
    const object = change(old, call.warnings);
    setNamespace(call, object);
    checkName(call, object);
    return setScaleManagedFields(call, old, object, options, now);
  });
}

/** A Scale of a custom resource accepts no strategic merge patch, like its parent. */
function patchCodec(call: Call): Pick<Codec, 'patchSchema'> {
  return viewOf(call).hasStrategicPatch ? expectedScale().codec : {};
}

type ScaleChange = (old: KubeObject, now: Date) => KubeObject;

async function writeScale(call: Call, options: WriteOptions, change: ScaleChange): Promise<ApiResponse> {
  const { resource, info } = call;
  const endpoint = endpointOf(resource, '');
  if (!endpoint) throw apiErrors.methodNotAllowed();
  const representation = objectRepresentation(call, expectedScale().codec);
  const written = await updateObject({
    call,
    endpoint: { ...endpoint, subresource: 'scale' },
    options,
    mayBeUnconditional: true,
    view: {
      of: (parent) => scaleOf(call, parent),
      writeTo: (parent, scaled) => viewOf(call).setReplicas(parent, replicasOf(scaled)),
    },
    transform: (parent, now) => {
      const scaled = change(scaleWithManagedFields(call, parent), now);
      checkUid(call, scaled.metadata.uid, parent.metadata.uid ?? '', options.dryRun);
      return withScale(call, parent, scaled);
    },
    onMissing: () => {
      throw apiErrors.notFound(groupResource(call), info.name);
    },
  });
  const parent = written.entry ? await readEntry(resource, written.entry) : written.object;
  if (!parent) throw new Error('a write returned neither an entry nor an object');
  return objectResponse(call, 200, scaleOf(call, parent), representation, shownScale(call));
}

function setScaleManagedFields(
  call: Call,
  live: KubeObject,
  object: KubeObject,
  options: WriteOptions,
  now: Date,
): KubeObject {
  const manager = managerName(options.fieldManager, call.request.headers['user-agent'] ?? '');
  // The parent's managedFields name the subresource; the Scale's own do not.
  const { managed } = scaleEndpoint(call);
  const managedFields = updateManagedFields({ kind: managed, live, object, manager, now });
  if (managedFields) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
  return object;
}

function scaleEndpoint(call: Call): Pick<Endpoint, 'managed'> {
  const { codec } = expectedScale();
  return {
    managed: {
      apiVersion: apiVersionOf(scaleKind),
      kind: scaleKind.kind,
      subresource: call.info.subresource,
      blank: codec.blank,
      typeOf: codec.mergeType,
    },
  };
}

/** The Scale with the managers of its replicas, as the base of a write. Responses do not show them. */
function scaleWithManagedFields(call: Call, parent: KubeObject): KubeObject {
  const scale = scaleOf(call, parent);
  // Unset replicas must differ from every value that a client can set.
  if (viewOf(call).replicas(parent) === undefined) scale['spec'] = { replicas: unsetReplicas };
  const owners = scaleEntriesOf(parentOf(call), parent.metadata.managedFields ?? []);
  if (owners) scale.metadata.managedFields = owners;
  return scale;
}

/** The smallest int32, which is no valid number of replicas. */
const unsetReplicas = -(2 ** 31);

/** The Scale of a workload. */
function scaleOf(call: Call, parent: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const view = viewOf(call);
  const replicas = view.replicas(parent) ?? 0;
  const selector = view.selector(parent);
  return {
    kind: scaleKind.kind,
    apiVersion: apiVersionOf(scaleKind),
    metadata: {
      ...(name && { name }),
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      ...(creationTimestamp && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: view.statusReplicas(parent), ...(selector && { selector }) },
  };
}

function parentOf(call: Call): ScaleParent {
  return { apiVersion: apiVersionOf(call.resource), replicasPath: viewOf(call).replicasPath };
}

/** The workload with the replicas of the Scale, and their managers. */
function withScale(call: Call, parent: KubeObject, scaled: KubeObject): KubeObject {
  const replicas = replicasOf(scaled);
  const { requiredPath, setReplicas } = viewOf(call);
  if (requiredPath !== undefined && replicas === unsetReplicas) {
    throw apiErrors.badRequest(`the spec replicas field ${quote(requiredPath)} cannot be empty`);
  }
  const owners = parentEntriesOf(parentOf(call), parent.metadata.managedFields ?? [], entriesOf(scaled));
  const changed = copyObject(parent);
  setReplicas(changed, replicas);
  changed.metadata.resourceVersion = scaled.metadata.resourceVersion ?? '';
  if (owners) changed.metadata.managedFields = owners;
  else delete changed.metadata.managedFields;
  return changed;
}

function replicasOf(scale: KubeObject): number {
  const { replicas = 0 } = (scale['spec'] ?? {}) as { replicas?: number };
  return replicas;
}

function entriesOf({ metadata }: KubeObject): readonly ManagedFieldsEntry[] {
  return metadata.managedFields ?? [];
}
